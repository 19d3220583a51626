import { z } from 'zod/mini';
import type { Schema } from './endpoint.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';

/**
 * One thing that staff can do, as a value: the command line runs it, and so does whatever else
 * staff work with. Sums in `body` and `reply` are dollars. `reply` never depends on how the verb
 * was called: a preview answers what the action would.
 */
export type StaffVerb<Body extends Schema = Schema, Reply extends Schema = Schema> = {
  /** Subject and action, such as `credits.add`; kept in the audit trail, and the command's name. */
  name: `${string}.${string}`;
  /** In the words of its button, for the audit trail. */
  title: string;
  /** One sentence for lists of verbs. */
  summary: string;
  /**
   * An object; each field says what it is (`z.describe`), in words that begin small: the help of
   * the command's option, and the label of the input. A number that is no `z.int` is a sum.
   */
  body: Body;
  reply: Reply;
  example: z.output<Reply>;
};

/** Declares a verb and keeps the exact types of its shapes. */
export function staffVerb<Body extends Schema, Reply extends Schema>(
  value: StaffVerb<Body, Reply>,
): StaffVerb<Body, Reply> {
  return value;
}

const WHO = 'Who does it (by) must be 1 to 100 characters.';

/** Who asks for a verb, and why, in words for the audit trail. */
export const staffCaller = z.object({
  by: z.string().check(z.minLength(1, WHO), z.maxLength(100, WHO)),
  why: z.string().check(z.maxLength(500, 'The reason (why) must be at most 500 characters.')),
});

/** What a caller passes to a verb, checked. */
export type VerbBody<V extends { body: Schema }> = z.output<V['body']>;

/** What a verb answers. */
export type VerbReply<V extends { reply: Schema }> = z.output<V['reply']>;

/** The rental that a verb is about. */
export const rentalId = id.check(z.describe('the rental'));

/**
 * A ledger that a verb has posted to, with its balance afterwards in dollars (below 0 for a
 * credit).
 */
export const touchedLedger = z.object({ ledgerId: id, unitName: z.string(), balance: dollars });
