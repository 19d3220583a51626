import type { FastifyInstance } from 'fastify';
import type { Context } from '#context.ts';
import { Refusal } from '#refusal.ts';

/** More digits in a row than a masked copy shows, with whatever people put between them. */
const RAW_NUMBER = /\d(?:[\s.-]*\d){4}/;
/** A number where a token should stand; a token has letters. */
const NUMBER_ALONE = /^[\d\s._-]+$/;

/** Where fields are hosted, has every body looked at before anything else of it is (safety.md section 6). */
export function guardHostedFields(api: FastifyInstance, { config }: Context): void {
  if (config.payments.kind !== 'stripe') return;
  api.addHook('preValidation', ({ body }, _reply, done) => {
    refuseRawNumbers(body);
    done();
  });
}

/**
 * Refuses with 422 a body with the number of a card or account in it, or without a token where one should stand. Nothing of
 * it is kept, told or logged. A routing number is a bank's, and no secret.
 */
export function refuseRawNumbers(body: unknown): void {
  if (isRaw(partOf(body, 'creditCard'), 'cardNumber') || isRaw(partOf(body, 'ach'), 'accountNumber'))
    throw new Refusal(422, 'Card numbers are not accepted here. Please use the card form of this page.');
}

function isRaw(given: unknown, field: string): boolean {
  const token = partOf(given, 'paymentToken');
  if (typeof token === 'number' || (typeof token === 'string' && NUMBER_ALONE.test(token))) return true;
  const number = partOf(given, field);
  if (number === undefined || number === null) return false;
  // Without a token it is a new card or account, whatever its number looks like.
  const isCopy = token !== undefined || partOf(given, 'paymentMethodId') !== undefined;
  return !isCopy || RAW_NUMBER.test(JSON.stringify(number));
}

function partOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null ? (whole as Record<string, unknown>)[name] : undefined;
}
