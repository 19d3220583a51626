import { createHmac } from 'node:crypto';
import type { AutopayUpdateParams } from '@gatehouse/contract/autopay-changes';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import { unchecked, type DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';

/** A setting of autopay, as far as its Idempotency-Key goes. */
type Update = {
  caller: { userId: string };
  ledgerId: string;
  params: AutopayUpdateParams;
  idempotencyKey: string | undefined;
};

/**
 * Longer than any gateway call: a call that began a setting this long ago and did not end it is
 * gone.
 */
const GONE_AFTER_SECONDS = 120;

/**
 * Notes that a setting under an Idempotency-Key begins, before the gateway is asked to keep
 * anything. Answers false where the same one was done before; without a key always true. Refuses
 * with 422 a key of another request, with 409 while the same one is under way.
 */
export async function beginUpdate(ctx: Context, update: Update): Promise<boolean> {
  const { caller, ledgerId, idempotencyKey } = update;
  if (idempotencyKey === undefined) return true;
  const now = ctx.clock.now();
  const hash = hashOf(ctx.config.secret, update);
  const key = { user_id: caller.userId, idempotency_key: idempotencyKey };
  const noted = await ctx.db
    .insertInto('autopay_updates')
    .values({ ...key, ledger_id: ledgerId, request_hash: hash, begun_at: now, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (noted !== undefined) return true;
  const before = await ctx.db
    .selectFrom('autopay_updates')
    .select(['ledger_id', 'request_hash', 'mandate_id'])
    .where('user_id', '=', caller.userId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  if (before.ledger_id !== ledgerId || !before.request_hash.equals(hash))
    throw new Refusal(
      422,
      t('This Idempotency-Key was already used for another change of autopay.'),
    );
  if (before.mandate_id !== null) return false;
  if (await takeOver(ctx, key, now)) return true;
  throw new Refusal(409, t('This change of autopay is being made. Please wait a moment.'));
}

/** The setting has this consent, in the transaction that keeps it. */
export async function finishUpdate(
  trx: DatabaseTransaction,
  userId: string,
  idempotencyKey: string | undefined,
  mandateId: string,
): Promise<void> {
  if (idempotencyKey === undefined) return;
  await trx
    .updateTable('autopay_updates')
    .set({ mandate_id: mandateId })
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', idempotencyKey)
    .execute();
}

/**
 * The setting was refused: its key may be used for the same again, also where the session has ended
 * meanwhile.
 */
export async function giveUpUpdate(
  ctx: Context,
  { caller, idempotencyKey }: Update,
): Promise<void> {
  if (idempotencyKey === undefined) return;
  await unchecked(ctx.db)
    .updateTable('autopay_updates')
    .set({ begun_at: null })
    .where('user_id', '=', caller.userId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('mandate_id', 'is', null)
    .execute();
}

/** One that was refused, or whose process is gone; of several at once one continues. */
async function takeOver(
  ctx: Context,
  key: { user_id: string; idempotency_key: string },
  now: Date,
): Promise<boolean> {
  const gone = new Date(now.getTime() - GONE_AFTER_SECONDS * 1000);
  const taken = await ctx.db
    .updateTable('autopay_updates')
    .set({ begun_at: now })
    .where('user_id', '=', key.user_id)
    .where('idempotency_key', '=', key.idempotency_key)
    .where('mandate_id', 'is', null)
    .where((row) => row.or([row('begun_at', 'is', null), row('begun_at', '<', gone)]))
    .returning('user_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/**
 * Equal for two requests that ask the same. Of a new card or account it holds what is shown of it,
 * never its number.
 */
function hashOf(secret: Buffer, { ledgerId, params }: Update): Buffer {
  const { creditCard, ach } = params;
  const given = creditCard ?? ach ?? {};
  const shown = Object.entries(given)
    .map(([name, value]) => (isNumber(name) ? [name, String(value).slice(-4)] : [name, value]))
    .filter(([name]) => name !== 'cardCvv');
  return createHmac('sha256', secret)
    .update(JSON.stringify([ledgerId, creditCard === undefined ? 'ach' : 'creditCard', shown]))
    .digest();
}

function isNumber(field: string): boolean {
  return field === 'cardNumber' || field === 'accountNumber' || field === 'routingNumber';
}
