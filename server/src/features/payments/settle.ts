import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { ChargeAnswer } from '#adapters/payments/gateway.ts';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { IntentState, PaymentOrder } from '#db/tables.ts';
import { paidThrough } from '#features/ledgers/rules.ts';
import { tellStaffOfAch } from './ach-notice.ts';
import { allocate, type OpenCharge } from './allocation.ts';
import { isOpen, openStates } from './intent.ts';

/** What is known of an intent in the end. */
type Outcome = ChargeAnswer | { outcome: 'voided' };

const endStates: Record<Outcome['outcome'], IntentState> = {
  succeeded: 'succeeded',
  pending: 'pending',
  declined: 'declined',
  voided: 'never_sent',
};

/**
 * TX2 of D6: writes an outcome to its intent and, where money moved, posts it: one payment entry a ledger, its allocations
 * and the new balance and paid-through date. Does nothing when the intent is no longer open, so it may be called twice.
 */
export async function settlePayment(ctx: Context, intentId: string, outcome: Outcome): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const intent = await trx
      .selectFrom('payment_intents')
      .select(['id', 'state', 'method_description', 'tenant_id'])
      .where('id', '=', intentId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!isOpen(intent.state)) return;
    const isPosted = outcome.outcome === 'succeeded' || outcome.outcome === 'pending';
    const receiptNumber = await closeIntent(ctx, trx, intentId, outcome, isPosted);
    if (receiptNumber === null) return;
    const posts = await postPayments(ctx, trx, { ...intent, receiptNumber });
    if (outcome.outcome === 'pending') await tellStaffOfAch(ctx, trx, intent, posts);
  });
}

/** Resolves every open intent whose gateway call must be over, whatever became of its job. */
export async function resolveOverduePayments(ctx: Context): Promise<void> {
  const overdue = new Date(ctx.clock.now().getTime() - resolveAfterSeconds(ctx) * 1000);
  const open = await ctx.db
    .selectFrom('payment_intents')
    .select('id')
    .where('state', 'in', openStates)
    .where('created_at', '<', overdue)
    .execute();
  await resolveEach(ctx, open);
}

/** Resolves each, whatever becomes of the others; throws in the end when some could not be. */
async function resolveEach(ctx: Context, intents: { id: string }[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of intents) await resolvePayment(ctx, id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} payments could not be resolved`);
}

/** How long after its start an open intent is looked up: a little after the gateway's time is over. */
export function resolveAfterSeconds({ gatewayTimeoutMs }: Context): number {
  return Math.ceil(gatewayTimeoutMs / 1000) + 3;
}

/** Resolves those of the intents that are still open: nearly all were settled by the request that made them. */
export async function resolveOpenPayments(ctx: Context, intentIds: string[]): Promise<void> {
  const open = await ctx.db
    .selectFrom('payment_intents')
    .select('id')
    .where('id', 'in', intentIds)
    .where('state', 'in', openStates)
    .execute();
  await resolveEach(ctx, open);
}

/**
 * Looks an open intent up at the gateway and settles it (D4): what the gateway charged is posted, what it never saw is
 * voided there first, so that it can never be charged later. Never charges.
 */
export async function resolvePayment(ctx: Context, intentId: string): Promise<void> {
  const intent = await ctx.db
    .selectFrom('payment_intents')
    .select('state')
    .where('id', '=', intentId)
    .executeTakeFirst();
  if (intent === undefined || !isOpen(intent.state)) return;
  const found = await ctx.gateway.lookup(intentId);
  const outcome = found.outcome === 'notFound' ? await ctx.gateway.voidReference(intentId) : found;
  await settlePayment(ctx, intentId, outcome);
}

/** Writes the end state to the intent and its ledgers; answers the receipt number where money moved. */
async function closeIntent(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  outcome: Outcome,
  isPosted: boolean,
): Promise<string | null> {
  const state = endStates[outcome.outcome];
  const declineMessage = outcome.outcome === 'declined' ? outcome.message : null;
  const { rows } = await sql<{ receiptNumber: string | null }>`
    WITH intent AS (
      UPDATE payment_intents SET state = ${state}, decline_message = ${declineMessage}, updated_at = ${ctx.clock.now()},
        receipt_number = CASE WHEN ${isPosted} THEN nextval('receipt_numbers')::text END
      WHERE id = ${intentId} RETURNING id, receipt_number
    ), parts AS (
      UPDATE payment_intent_ledgers SET state = ${state} FROM intent WHERE intent_id = intent.id
    )
    SELECT receipt_number AS "receiptNumber" FROM intent`.execute(trx);
  return rows[0]?.receiptNumber ?? null;
}

type PostedIntent = { id: string; method_description: string; receiptNumber: string };

type LedgerToPost = {
  id: string;
  cents: number;
  movedInOn: string;
  timeZone: string;
  paymentOrder: PaymentOrder;
  lastPeriodEnd: string | null;
};

async function postPayments(ctx: Context, trx: DatabaseTransaction, intent: PostedIntent): Promise<Post[]> {
  const ledgers = await lockLedgers(trx, intent.id);
  const open = await findOpenCharges(trx, ledgers);
  const posts = ledgers.map((ledger, index) => {
    const charges = open.filter((charge) => charge.ledgerId === ledger.id);
    const allocations = allocate(charges, ledger.cents, ledger.paymentOrder);
    const settled = new Map(allocations.map(({ chargeId, cents }) => [chargeId, cents]));
    const stillOpenRent = charges.filter(
      (charge) => charge.category === 'rent' && charge.owedCents > (settled.get(charge.id) ?? 0),
    );
    return {
      entryId: randomUUID(),
      ledger,
      allocations,
      postedOn: calendarDateIn(ledger.timeZone, ctx.clock.now()),
      paidThrough: paidThrough(stillOpenRent, ledger.lastPeriodEnd, ledger.movedInOn),
      receiptNumber: ledgers.length === 1 ? intent.receiptNumber : `${intent.receiptNumber}-${index + 1}`,
    };
  });
  await insertPosts(ctx, trx, intent, posts);
  return posts;
}

/** The intent's ledgers, locked in id order as everywhere (D2). */
async function lockLedgers(trx: DatabaseTransaction, intentId: string): Promise<LedgerToPost[]> {
  await sql`
    SELECT FROM ledgers WHERE id IN (SELECT ledger_id FROM payment_intent_ledgers WHERE intent_id = ${intentId})
    ORDER BY id FOR UPDATE`.execute(trx);
  const { rows } = await sql<LedgerToPost>`
    SELECT l.id, part.amount_cents AS cents, l.moved_in_on AS "movedInOn", f.time_zone AS "timeZone",
      f.payment_order AS "paymentOrder",
      (SELECT max(period_end) FROM charges c WHERE c.ledger_id = l.id AND c.category = 'rent') AS "lastPeriodEnd"
    FROM payment_intent_ledgers part
    JOIN ledgers l ON l.id = part.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN facilities f ON f.id = u.facility_id
    WHERE part.intent_id = ${intentId}
    ORDER BY u.name, l.id`.execute(trx);
  return rows;
}

async function findOpenCharges(
  trx: DatabaseTransaction,
  ledgers: LedgerToPost[],
): Promise<(OpenCharge & { ledgerId: string })[]> {
  return trx
    .selectFrom('open_charges')
    .select(['entry_id as id', 'ledger_id as ledgerId', 'category', 'due_on as dueOn', 'position'])
    .select('owed_cents as owedCents')
    .where(
      'ledger_id',
      'in',
      ledgers.map((ledger) => ledger.id),
    )
    .execute();
}

type Post = {
  entryId: string;
  ledger: LedgerToPost;
  allocations: { chargeId: string; cents: number }[];
  postedOn: string;
  paidThrough: string;
  receiptNumber: string;
};

/** All rows of all ledgers in one statement: entries, payments, allocations and the ledgers' new standing. */
async function insertPosts(ctx: Context, trx: DatabaseTransaction, intent: PostedIntent, posts: Post[]): Promise<void> {
  const allocations = posts.flatMap((post) => post.allocations.map((part) => ({ ...part, entryId: post.entryId })));
  await sql`
    WITH post AS (
      SELECT * FROM unnest(
        ${posts.map((post) => post.entryId)}::uuid[],
        ${posts.map((post) => post.ledger.id)}::uuid[],
        ${posts.map((post) => post.ledger.cents)}::bigint[],
        ${posts.map((post) => post.postedOn)}::date[],
        ${posts.map((post) => post.paidThrough)}::date[],
        ${posts.map((post) => post.receiptNumber)}::text[]
      ) AS post (entry_id, ledger_id, cents, posted_on, paid_through, receipt_number)
    ), entry AS (
      INSERT INTO entries (id, ledger_id, kind, amount_cents, posted_on, created_at)
      SELECT entry_id, ledger_id, 'payment', -cents, posted_on, ${ctx.clock.now()}::timestamptz FROM post
    ), payment AS (
      INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
      SELECT entry_id, ${intent.id}::uuid, ledger_id, ${intent.method_description}, receipt_number FROM post
    ), allocation AS (
      INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
      SELECT * FROM unnest(
        ${allocations.map((part) => part.entryId)}::uuid[],
        ${allocations.map((part) => part.chargeId)}::uuid[],
        ${allocations.map((part) => part.cents)}::bigint[]
      )
    )
    UPDATE ledgers SET balance_cents = balance_cents - post.cents, paid_through = post.paid_through
    FROM post WHERE ledgers.id = post.ledger_id`.execute(trx);
}
