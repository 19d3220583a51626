import { sql } from 'kysely';
import { GatewayUnknown, type Standing, type Where } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import type { CounterType, IntentState, MethodType } from '#db/tables.ts';
import { doEach } from '#context/each.ts';
import { Refusal } from '#errors/refusal.ts';
import { isOpen, openStates, resolveAfterSeconds } from './intent.ts';
import { settleReturn } from './returns.ts';
import { markSettled, settlePayment } from './settle.ts';

const lookingUp = { atOnce: 8, what: 'payments could not be resolved' };
/**
 * What the gateway did not find is asked for again after this long, where the gateway asks for
 * patience.
 */
const NOT_FOUND_SECONDS = 60;
/** A pending bank debit is looked up about once an hour; webhooks make it known sooner. */
const PENDING_MINUTES = 60;
const PENDING_AT_ONCE = 200;

/**
 * Resolves every open intent whose gateway call must be over. Throws in the end when some could not
 * be.
 */
export async function resolveOverduePayments(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime();
  const { minutes } = ctx.gateway.patience;
  const again = minutes === 0 ? now : now - NOT_FOUND_SECONDS * 1000;
  // At once when the patience is over: what can be given up then is not unknown for longer (I7).
  const isOver = sql<boolean>`created_at <= ${new Date(now - minutes * 60_000)}
    AND looked_up_at < created_at + make_interval(mins => ${minutes})`;
  const open = await ctx.db
    .selectFrom('payment_intents')
    .select('id')
    .where('state', 'in', openStates)
    .where('created_at', '<', new Date(now - resolveAfterSeconds(ctx) * 1000))
    .where((when) =>
      when.or([
        when('looked_up_at', 'is', null),
        when('looked_up_at', '<=', new Date(again)),
        isOver,
      ]),
    )
    .orderBy('created_at')
    .execute();
  await resolveOpenPayments(
    ctx,
    open.map(({ id }) => id),
  );
}

/**
 * Resolves those of the intents that are open, whatever becomes of the others; throws in the end
 * when some could not be.
 */
export async function resolveOpenPayments(ctx: Context, intentIds: string[]): Promise<void> {
  await doEach(intentIds, lookingUp, (id) => resolvePayment(ctx, id));
}

/**
 * Looks an open intent up at the gateway and settles it: what the gateway charged is posted; what
 * it did not know as often and as long as its patience asks is voided there first, so that it can
 * never be charged later. Never charges.
 */
export async function resolvePayment(ctx: Context, intentId: string): Promise<void> {
  const intent = await findIntent(ctx, intentId);
  if (intent === undefined || !isOpen(intent.state)) return;
  if (!(await resolveOpen(ctx, intentId, intent.where))) return;
  ctx.metrics.confirmedSeconds.observe(
    (ctx.clock.now().getTime() - intent.where.since.getTime()) / 1000,
  );
}

/** Answers whether the outcome is known now. */
async function resolveOpen(ctx: Context, intentId: string, where: Where): Promise<boolean> {
  const found = await ctx.gateway.lookup(intentId, where);
  if (found.outcome !== 'notFound') {
    await settleStanding(ctx, intentId, found);
    return true;
  }
  if (!(await isGivenUp(ctx, intentId))) return false;
  const voided = await ctx.gateway.voidReference(intentId, where);
  if (voided.outcome === 'voided') await settlePayment(ctx, intentId, voided);
  else await settleStanding(ctx, intentId, voided);
  return true;
}

/**
 * Looks a bank debit up that is pending or settled and writes what has become of it: settled, or
 * returned and taken back. Does nothing for an intent in another state. What the gateway's own list
 * says else is reconciliation's to find.
 */
export async function lookUpPending(ctx: Context, intentId: string): Promise<void> {
  const intent = await findIntent(ctx, intentId);
  if (intent === undefined) return;
  if (isOpen(intent.state)) return resolvePayment(ctx, intentId);
  if (intent.state !== 'pending' && intent.state !== 'settled') return;
  const found = await ctx.gateway.lookup(intentId, intent.where);
  if (found.outcome === 'settled') await markSettled(ctx, intentId);
  if (found.outcome === 'returned') await settleReturn(ctx, intentId, found.code);
}

/**
 * Whether a bank debit is pending here and the gateway, which is asked, declined it or does not
 * have it, so that it will never settle. A debit that is younger than the gateway's patience may
 * not be found yet. Changes nothing. Throws a Refusal with 503 where the gateway does not answer.
 */
export async function isDebitNotCollected(ctx: Context, intentId: string): Promise<boolean> {
  const intent = await findIntent(ctx, intentId);
  if (intent?.state !== 'pending') return false;
  const { since } = intent.where;
  if (ctx.clock.now().getTime() - since.getTime() < ctx.gateway.patience.minutes * 60_000)
    return false;
  try {
    const { outcome } = await ctx.gateway.lookup(intentId, intent.where);
    return outcome === 'notFound' || outcome === 'declined';
  } catch (error) {
    if (error instanceof GatewayUnknown)
      throw new Refusal(503, 'The gateway does not answer. Please try again in a moment.');
    throw error;
  }
}

/**
 * Looks up the pending bank debits whose turn it is, each once whatever the number of processes.
 */
export async function lookUpPendingPayments(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - PENDING_MINUTES * 60_000);
  const { rows } = await sql<{ id: string }>`
    UPDATE payment_intents SET looked_up_at = ${now} WHERE id IN (
      SELECT id FROM payment_intents WHERE state = 'pending' AND coalesce(looked_up_at, created_at) < ${before}
      ORDER BY coalesce(looked_up_at, created_at) LIMIT ${PENDING_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED
    ) RETURNING id`.execute(ctx.db);
  await doEach(rows, lookingUp, ({ id }) => lookUpPending(ctx, id));
}

/**
 * What a look-up found out about an open intent; a bank debit may have gone on before anybody
 * asked.
 */
async function settleStanding(ctx: Context, intentId: string, found: Standing): Promise<void> {
  if (found.outcome !== 'settled' && found.outcome !== 'returned') {
    await settlePayment(ctx, intentId, found);
    return;
  }
  await settlePayment(ctx, intentId, { outcome: 'pending' });
  if (found.outcome === 'settled') await markSettled(ctx, intentId);
  else await settleReturn(ctx, intentId, found.code);
}

/**
 * Counts that the gateway did not know the reference; whether it has now been asked often and long
 * enough.
 */
async function isGivenUp(ctx: Context, intentId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const { lookups, minutes } = ctx.gateway.patience;
  const intent = await ctx.db
    .updateTable('payment_intents')
    .set((to) => ({ not_found: to('not_found', '+', 1), looked_up_at: now }))
    .where('id', '=', intentId)
    .where('state', 'in', openStates)
    .returning(['not_found', 'created_at'])
    .executeTakeFirst();
  if (intent === undefined) return false;
  return (
    intent.not_found >= lookups && now.getTime() - intent.created_at.getTime() >= minutes * 60_000
  );
}

type FoundIntent = { state: IntentState; type: MethodType | CounterType; where: Where };

async function findIntent(ctx: Context, id: string): Promise<FoundIntent | undefined> {
  const row = await ctx.db
    .selectFrom('payment_intents as intent')
    .leftJoin('gateway_customers as customer', 'customer.tenant_id', 'intent.tenant_id')
    .select(['intent.state', 'intent.type', 'intent.created_at', 'customer.customer'])
    .where('intent.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      state: row.state,
      type: row.type,
      where: { customer: row.customer, since: row.created_at },
    }
  );
}

/**
 * The intent of a charge that the gateway has given money back of, whose outcome is looked up
 * first. `unknown`: the charge is not ours. `open`: what became of the charge itself is still not
 * known here.
 */
export async function findCharged(
  ctx: Context,
  reference: string | null,
): Promise<(FoundIntent & { id: string }) | 'unknown' | 'open'> {
  if (reference === null) return 'unknown';
  await lookUpPending(ctx, reference);
  const intent = await findIntent(ctx, reference);
  if (intent === undefined) return 'unknown';
  return isOpen(intent.state) ? 'open' : { id: reference, ...intent };
}
