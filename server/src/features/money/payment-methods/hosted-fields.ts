import { t } from '@gatehouse/language/t';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';

/** More consecutive digits than a masked copy shows, with any separators. */
const RAW_NUMBER = /\d(?:[\s.-]*\d){4}/;
/** A number in place of a token; a token has letters. */
const NUMBER_ALONE = /^[\d\s._-]+$/;

/** Checks every body before anything else, where fields are hosted. */
export function guardHostedFields(api: FastifyInstance, { config }: Context): void {
  if (config.payments.kind !== 'stripe') return;
  api.addHook('preValidation', ({ body }, _reply, done) => {
    refuseRawNumbers(body);
    done();
  });
}

/**
 * Refuses with 422 a body with the number of a card or account, or without a required token. The
 * number is never stored, returned or logged. A routing number is a bank's, and not secret.
 */
export function refuseRawNumbers(body: unknown): void {
  if (
    isRaw(partOf(body, 'creditCard'), 'cardNumber') ||
    isRaw(partOf(body, 'ach'), 'accountNumber')
  )
    throw new Refusal(
      422,
      t('Card numbers are not accepted here. Please use the card form of this page.'),
    );
}

function isRaw(given: unknown, field: string): boolean {
  const token = partOf(given, 'paymentToken');
  if (typeof token === 'number' || (typeof token === 'string' && NUMBER_ALONE.test(token)))
    return true;
  const number = partOf(given, field);
  if (number === undefined || number === null) return false;
  // Without a token it is a new card or account, whatever the format of its number.
  const isCopy = token !== undefined || partOf(given, 'paymentMethodId') !== undefined;
  return !isCopy || RAW_NUMBER.test(JSON.stringify(number));
}

function partOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null
    ? (whole as Record<string, unknown>)[name]
    : undefined;
}
