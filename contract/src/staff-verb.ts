import { z } from 'zod/mini';
import { formatDate } from './dates.ts';
import type { Schema } from './endpoint.ts';
import { id } from './ids.ts';
import { dollars, formatMoney, sumDollars } from './money.ts';
import type { OfficeRole } from './office/office-endpoint.ts';
import { plainText } from './typed.ts';

/**
 * One thing that staff can do, as a value: the office and the command line run it. Sums in `body`
 * and `reply` are dollars. `reply` never depends on how the verb was called: a preview answers what
 * the action would.
 */
export type StaffVerb<Body extends Schema = Schema, Reply extends Schema = Schema> = {
  /** Subject and action, such as `credits.add`; kept in the audit trail, and the command's name. */
  name: `${string}.${string}`;
  /** In the words of its button, for the audit trail. */
  title: string;
  /** One sentence for lists of verbs. */
  summary: string;
  /** The least role of the office that may. */
  role: OfficeRole;
  /**
   * Whether the office demands a reason, also of a preview, as it does where money moves.
   * `everywhere`: so does the command line, because the reason is kept with what it is about.
   */
  isReasonNeeded: boolean | 'everywhere';
  /** Whether it is done by an account of staff only, so that it is no command. */
  isByAccount?: boolean;
  /** An object; each field has its words (`field`). A number that is no `z.int` is a sum. */
  body: Body;
  /** The limit of a body that carries a file, in bytes. */
  bodyBytes?: number;
  /** The fields of `body`. */
  fields: Fields;
  reply: Reply;
  example: z.output<Reply>;
  /** What it comes to in sentences, the gist first; `isDone` is false of a preview. */
  says?(reply: z.output<Reply>, isDone: boolean): string[];
  /** What of it should not be overlooked; null where there is nothing of the kind. */
  warns?(reply: z.output<Reply>): string | null;
};

/** Declares a verb by what is its own, and keeps its name and the exact types of its shapes. */
export function staffVerb<
  const Name extends StaffVerb['name'],
  Body extends Schema,
  Reply extends Schema,
>(
  value: Omit<StaffVerb<Body, Reply>, 'fields'> & { name: Name },
): StaffVerb<Body, Reply> & { name: Name } {
  return { ...value, fields: fieldsOf(value.body) };
}

/** What people read of a field: in a form of the office, and in the help of its command. */
export type FieldWords = {
  /** Its label, such as `New rent`. */
  title: string;
  /** A hint, such as `A random one unless one is named.` */
  description?: string;
  /** Of a text that is an address, or a PDF as a data URL. */
  format?: 'email' | 'pdf';
  /** Of a sum. */
  unit?: 'dollars';
  /** Of a choice: each value in words, in their order. */
  names?: Readonly<Record<string, string>>;
  /** Of what the office asks once the verb was refused with 409, which says why. */
  isAsked?: true;
  /** Of an optional field that is missing only where the verb cancels something. */
  isNeeded?: true;
  /** The least role that may fill it in, where that is more than the verb's. */
  role?: OfficeRole;
};

/**
 * The schema with the words of its field, which `z.toJSONSchema` answers with its type. What is not
 * filled in by hand in the office, such as the id of what a verb is about, has no title and only a
 * description for its command.
 */
export function field<S extends Schema>(schema: S, words: FieldWords): S {
  return schema.check(z.meta(words));
}

/** A field of a body as `z.toJSONSchema` says it. */
export type FieldShape = Partial<Omit<FieldWords, 'format'>> & {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  format?: string;
  enum?: string[];
  minimum?: number;
  minLength?: number;
};
/** The fields of a body by their names, in their order. */
type Fields = Record<string, FieldShape & { isOptional: boolean }>;
type BodyShape = { properties?: Record<string, FieldShape>; required?: string[] };

/** The fields of a body; of an intersection those of each part. */
export function fieldsOf(body: Schema): Fields {
  const whole = z.toJSONSchema(body, { io: 'input' }) as BodyShape & { allOf?: BodyShape[] };
  return Object.fromEntries(
    [whole, ...(whole.allOf ?? [])].flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, shape]) => [
        name,
        { ...shape, isOptional: !required.includes(name) },
      ]),
    ),
  );
}

const WHO = 'Who does it (by) must be 1 to 100 characters.';

export const REASON_NEEDED = 'Give the reason (why).';

/** Who asks for a verb, and why, in words for the audit trail. */
export const staffCaller = z.object({
  by: z.string().check(z.overwrite(plainText), z.minLength(1, WHO), z.maxLength(100, WHO)),
  why: z
    .string()
    .check(
      z.overwrite(plainText),
      z.maxLength(500, 'The reason (why) must be at most 500 characters.'),
    ),
});

/** What a caller passes to a verb, checked. */
export type VerbBody<V extends { body: Schema }> = z.output<V['body']>;

/** What a verb answers. */
export type VerbReply<V extends { reply: Schema }> = z.output<V['reply']>;

/** The rental that a verb is about. */
export const rentalId = id.check(z.describe('the rental'));

/** The tenant record that a verb is about. */
export const tenantRecordId = id.check(z.describe('the tenant record'));

/**
 * A ledger that a verb has posted to, with its balance afterwards in dollars (below 0 for a
 * credit).
 */
export const touchedLedger = z.object({ ledgerId: id, unitName: z.string(), balance: dollars });

/** What each ledger that was posted to owes afterwards, a sentence each. */
export function balanceSentences(
  ledgers: z.output<typeof touchedLedger>[],
  isDone: boolean,
): string[] {
  return ledgers.map(({ unitName, balance }) => {
    const credit = balance < 0 ? `, with a credit of ${formatMoney(-balance)}` : '';
    return `${unitName} ${isDone ? 'owes' : 'will owe'} ${formatMoney(Math.max(0, balance))}${credit}.`;
  });
}

/** From when on what an act of the operator's opens again is enforced; null for nothing opened. */
export function owedOnSentence(owedOn: string | null | undefined): string[] {
  return owedOn == null
    ? []
    : [`It is due again on ${formatDate(owedOn)}: until then no late fee, gate or autopay.`];
}

/** The tax in a sum, as a sentence of its own where there is some. */
export function taxSentence({ tax1, tax2 }: { tax1: number; tax2: number }): string[] {
  return tax1 + tax2 > 0 ? [`Of it tax: ${formatMoney(sumDollars([tax1, tax2]))}`] : [];
}
