import { randomUUID } from 'node:crypto';
import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { AuditKind } from '@gatehouse/contract/office/audit-actions';
import { sql } from 'kysely';
import type { GatewayDispute } from '#adapters/payments/gateway.ts';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { disputeWonEmail, paymentDisputedEmail } from '#emails/payment-disputed.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import type { AlarmKind } from '@gatehouse/contract/alarm-kinds';
import {
  post,
  type NewCredit,
  type NewReversal,
  type NewWaiver,
  type Posting,
  waiverOfRest,
} from '#features/base/ledgers/books.ts';
import {
  lockBooks,
  postLocked,
  readBooks,
  readBooksWithPayments,
  readChargesWhere,
} from '#features/base/ledgers/postings.ts';
import { findCauselessFee } from '#features/money/billing/late-fees.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import type { Applied } from './gateway-refunds.ts';
import { findNextTenants, findRentsOfNext, type NextTenants } from './next-tenants.ts';
import { findCharged } from './resolve.ts';
import {
  alarmOfOwedAgain,
  findOwedBy,
  isPosted,
  lockCapture,
  takeBack,
  wholeOf,
  type Capture,
} from './take-back.ts';

/**
 * Brings a dispute of the gateway's list into the books, each of its steps exactly once, no matter
 * who asks how often.
 *
 * - **Opened**: the money was taken back, so the amount is owed again on the capture's ledgers
 *   (`takeBack`), without a fee; the card is refused from now on and its autopay ends; the tenant
 *   is mailed and an alarm says until when evidence is taken. A chargeback that staff have posted
 *   before is the dispute's, unless it is more. What is more than the capture is not posted, and an
 *   alarm says how much.
 * - **Won**: credits of what was posted restore it on the same ledgers, and the late fees that it
 *   was the only cause of are waived. What the next tenant of an assigned rental has lost by it is
 *   moved to them (`findNextTenants`).
 * - **Lost**: its state only.
 *
 * An inquiry moves no money and has an alarm only. A bank debit's dispute is its late return
 * (`returns.ts`).
 */
export async function applyDispute(ctx: Context, dispute: GatewayDispute): Promise<Applied> {
  const [known] = await findDisputeStates(ctx, [dispute]);
  if (known === dispute.standing) return 'known';
  const charged = await findCharged(ctx, dispute.chargeReference);
  if (typeof charged === 'string') return charged;
  if (charged.type !== 'creditCard') return 'known';
  if (dispute.standing === 'inquiry') {
    if (known === undefined) await alarmOfInquiry(ctx, charged.id, dispute);
    return 'known';
  }
  const isOpened = known === undefined && (await openDispute(ctx, charged.id, dispute));
  const isDecided =
    dispute.standing !== 'opened' && (await decideDispute(ctx, charged.id, dispute));
  return isOpened || isDecided ? 'posted' : 'known';
}

/**
 * What the books say of each dispute of a part of the gateway's list; undefined for one that is not
 * there.
 */
export async function findDisputeStates(ctx: Context, disputes: GatewayDispute[]) {
  const rows = await ctx.db
    .selectFrom('disputes')
    .select(['gateway_id', 'state'])
    .where(
      'gateway_id',
      'in',
      disputes.map(({ id }) => id),
    )
    .execute();
  const states = new Map(rows.map(({ gateway_id, state }) => [gateway_id, state]));
  return disputes.map(({ id }) => states.get(id));
}

/** Answers false where another process has posted it meanwhile. */
async function openDispute(
  ctx: Context,
  intentId: string,
  dispute: GatewayDispute,
): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (trx) => {
    const capture = (await lockCapture(trx, intentId))!;
    const byHand = await takenByHand(trx, intentId);
    const isMoreByHand = byHand.cents > dispute.amountCents;
    const own = isMoreByHand ? { ids: [], cents: 0 } : byHand;
    const today = calendarDateIn(capture.timeZone, now);
    const cents = Math.min(dispute.amountCents - own.cents, wholeOf(capture, null));
    const taken = takeBack(capture, null, cents, {
      reason: 'chargeback',
      description: 'Disputed with the card issuer',
      on: today,
    });
    const { ledgers } = taken;
    const postedCents = own.cents + taken.takenCents;
    const row = await trx
      .insertInto('disputes')
      .values({
        gateway_id: dispute.id,
        intent_id: intentId,
        amount_cents: dispute.amountCents,
        posted_cents: postedCents,
        state: 'opened',
        evidence_due_at: dispute.evidenceDueAt,
        opened_at: dispute.at,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('gateway_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    const postings = ledgers.map(({ posting }) => posting);
    await postLocked(trx, { instant: now, dayOf: () => today }, postings);
    const entries = [...own.ids, ...postings.flatMap(({ changes }) => changes.map(({ id }) => id))];
    if (entries.length > 0)
      await trx
        .insertInto('dispute_parts')
        .values(entries.map((id) => ({ reversal_entry_id: id, dispute_id: row.id })))
        .execute();
    if (ledgers.length > 0) {
      const owed = await findOwedBy(ctx, trx, capture);
      await queueMail(ctx, trx, {
        to: capture.email,
        kind: 'payment_changed',
        tenantId: capture.tenantId,
        email: () => paymentDisputedEmail({ ...mailOf(capture, dispute, ledgers), owed }),
      });
    }
    for (const listener of ctx.paymentListeners) await listener.disputed(ctx, trx, capture);
    await alarmOfOpened(ctx, trx, capture, dispute, dispute.amountCents - postedCents);
    await alarmOfOwedAgain(ctx, trx, capture, taken, dispute.id);
    if (isMoreByHand)
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'chargeback_exceeds',
        sentence:
          'Staff have charged back more of a card payment than its dispute takes; the dispute is not posted.',
        more: { chargedBackCents: byHand.cents },
      });
    else if (!isPosted(capture))
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'dispute_unposted',
        sentence:
          'A charge that the books do not have as a payment is disputed; nothing is posted.',
      });
    else if (postedCents < dispute.amountCents)
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'dispute_exceeds',
        sentence:
          'A dispute takes more than the books have of the payment; the rest is not posted.',
        more: { notTakenBackCents: dispute.amountCents - postedCents },
      });
    await note(ctx, trx, 'payment_disputed', capture, dispute);
    return true;
  });
}

/**
 * The chargebacks that staff have posted before the gateway's dispute is known here, and no dispute
 * has claimed.
 */
async function takenByHand(
  trx: DatabaseTransaction,
  intentId: string,
): Promise<{ ids: string[]; cents: number }> {
  const { rows } = await sql<{ id: string; cents: number }>`
    SELECT back.entry_id AS id, e.amount_cents AS cents
    FROM payments p JOIN taken_back back ON back.payment_entry_id = p.entry_id JOIN entries e ON e.id = back.entry_id
    WHERE p.intent_id = ${intentId} AND back.reason = 'chargeback'
      AND NOT EXISTS (SELECT FROM dispute_parts part WHERE part.reversal_entry_id = back.entry_id)`.execute(
    trx,
  );
  return { ids: rows.map(({ id }) => id), cents: rows.reduce((sum, row) => sum + row.cents, 0) };
}

/** Answers false where it was decided so before. */
async function decideDispute(
  ctx: Context,
  intentId: string,
  dispute: GatewayDispute,
): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction().execute(async (trx) => {
    const capture = (await lockCapture(trx, intentId))!;
    const { id, state } = await trx
      .selectFrom('disputes')
      .select(['id', 'state'])
      .where('gateway_id', '=', dispute.id)
      .executeTakeFirstOrThrow();
    if (state === dispute.standing) return false;
    if (state === 'won') {
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'dispute_changed',
        sentence:
          'The gateway calls a dispute lost that it had called won; the books still have it as won.',
      });
      return false;
    }
    const isWon = dispute.standing === 'won';
    await trx
      .updateTable('disputes')
      .set({ state: isWon ? 'won' : 'lost', decided_at: now })
      .where('id', '=', id)
      .execute();
    if (isWon) {
      const { cents, nextCents } = await restore(ctx, trx, capture, id, dispute);
      const next =
        nextCents > 0 ? `, ${formatCents(nextCents)} of it to the next tenant, who owed it` : '';
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'dispute_won',
        sentence: `A dispute was won; ${formatCents(cents)} of ${formatCents(dispute.amountCents)} is credited to the tenant again${next}.`,
      });
    } else
      await alarmOf(ctx, trx, capture, dispute, {
        kind: 'dispute_lost',
        sentence: 'A dispute was lost; what it took back stays owed by the tenant.',
      });
    await note(ctx, trx, isWon ? 'dispute_won' : 'dispute_lost', capture, dispute);
    return true;
  });
}

/**
 * Credits each ledger with what the dispute has taken back from it, and moves what is the next
 * tenant's; answers how many cents that is in all, and of the next tenant.
 */
async function restore(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  disputeId: string,
  dispute: GatewayDispute,
): Promise<{ cents: number; nextCents: number }> {
  const now = ctx.clock.now();
  const { rows: parts } = await sql<{ reversalId: string; ledgerId: string; cents: number }>`
    SELECT part.reversal_entry_id AS "reversalId", e.ledger_id AS "ledgerId", e.amount_cents AS cents
    FROM dispute_parts part JOIN entries e ON e.id = part.reversal_entry_id
    WHERE part.dispute_id = ${disputeId} ORDER BY e.position`.execute(trx);
  const credits = parts.map((part) => ({ ...part, creditId: randomUUID() }));
  const books = await lockBooks(trx, [...new Set(parts.map(({ ledgerId }) => ledgerId))]);
  const postings: Posting[] = [];
  let feeCents = 0;
  for (const ledger of books) {
    const own = credits.filter(({ ledgerId }) => ledgerId === ledger.ledgerId);
    const changes = own.map(({ creditId, cents }): NewCredit => ({
      kind: 'credit',
      id: creditId,
      cents,
      description: 'Card dispute won',
    }));
    const waivers = await waiversOfFees(trx, ledger.ledgerId, disputeId);
    feeCents += waivers.reduce((sum, { cents }) => sum + cents, 0);
    postings.push(post(ledger, [...waivers, ...changes]).posting);
  }
  const today = calendarDateIn(capture.timeZone, now);
  const at = { instant: now, dayOf: () => today };
  await postLocked(trx, at, postings);
  for (const { reversalId, creditId } of credits)
    await trx
      .updateTable('dispute_parts')
      .set({ credit_entry_id: creditId })
      .where('reversal_entry_id', '=', reversalId)
      .execute();
  const passedOn = (await findNextTenants(trx, disputeId)).map((one) => ({
    ...one,
    creditId: credits.find(({ reversalId }) => reversalId === one.reversalId)!.creditId,
  }));
  if (passedOn.length > 0) await postLocked(trx, at, await passOn(trx, disputeId, passedOn));
  const restCents = (part: (typeof parts)[number]) =>
    part.cents - (passedOn.find(({ reversalId }) => reversalId === part.reversalId)?.cents ?? 0);
  const units = books
    .map(({ ledgerId, unitName }) => ({
      unitName,
      cents: parts.reduce(
        (sum, part) => sum + (part.ledgerId === ledgerId ? restCents(part) : 0),
        0,
      ),
    }))
    .filter(({ cents }) => cents > 0);
  if (parts.length > 0)
    await queueMail(ctx, trx, {
      to: capture.email,
      kind: 'payment_changed',
      tenantId: capture.tenantId,
      email: () => disputeWonEmail({ ...mailOf(capture, dispute, units), feeCents }),
    });
  const sumOf = (all: { cents: number }[]) => all.reduce((sum, { cents }) => sum + cents, 0);
  return { cents: sumOf(parts), nextCents: sumOf(passedOn) };
}

/**
 * The postings that move these credits to the next tenants' ledgers, with the waivers of the late
 * fees that these have for the dispute only.
 */
async function passOn(
  trx: DatabaseTransaction,
  disputeId: string,
  passedOn: (NextTenants & { creditId: string })[],
): Promise<Posting[]> {
  const moves = passedOn.map((one) => ({ ...one, backId: randomUUID() as string }));
  const from = await readBooksWithPayments(
    trx,
    moves.map(({ creditId }) => creditId),
  );
  const postings = from.map((books) => {
    const reversals = books.payments.map((payment): NewReversal => {
      const { backId: id, cents } = moves.find(({ creditId }) => creditId === payment.id)!;
      const words = { reason: 'moved' as const, description: 'Moved to the next tenant' };
      return { kind: 'reversal', id, payment, cents, ...words };
    });
    return post(books, reversals).posting;
  });
  for (const next of await readBooks(
    trx,
    moves.map(({ ledgerId }) => ledgerId),
  )) {
    const rents = await findRentsOfNext(trx, disputeId, next.ledgerId);
    const waivers = await waiversOfFeesFor(trx, next.ledgerId, rents);
    const own = moves.filter(({ ledgerId }) => ledgerId === next.ledgerId);
    const credits = own.map(({ backId: movedBy, cents }): NewCredit => {
      const description = 'Moved from the tenant before';
      return { kind: 'credit', id: randomUUID(), cents, description, movedBy };
    });
    postings.push(post(next, [...waivers, ...credits]).posting);
  }
  return postings;
}

/** The waivers of the late fees of a ledger that there would not be without the dispute. */
async function waiversOfFees(
  trx: DatabaseTransaction,
  ledgerId: string,
  disputeId: string,
): Promise<NewWaiver[]> {
  const { rows: opened } = await sql<{ id: string; cents: number; position: number }>`
    SELECT a.charge_entry_id AS id, -sum(a.amount_cents)::bigint AS cents, min(e.position) AS position
    FROM dispute_parts part
    JOIN entries e ON e.id = part.reversal_entry_id AND e.ledger_id = ${ledgerId}
    JOIN allocations a ON a.reversal_entry_id = e.id
    WHERE part.dispute_id = ${disputeId} GROUP BY a.charge_entry_id`.execute(trx);
  return waiversOfFeesFor(trx, ledgerId, opened);
}

/**
 * The waivers of the late fees of rents that a dispute has opened, each with what of it in cents;
 * not of a fee that is older, where `position` is the dispute's.
 */
async function waiversOfFeesFor(
  trx: DatabaseTransaction,
  ledgerId: string,
  opened: { id: string; cents: number; position?: number }[],
): Promise<NewWaiver[]> {
  const ids = opened.map(({ id }) => id);
  const charges = await readChargesWhere(
    trx,
    ledgerId,
    sql<boolean>`(c.entry_id = ANY(${ids}::uuid[]) OR c.late_for = ANY(${ids}::uuid[]))`,
  );
  return opened.flatMap(({ id, cents, position = 0 }) => {
    const rent = charges.find((charge) => charge.id === id)!;
    const fee = findCauselessFee(charges, rent, cents);
    if (fee === undefined || fee.position < position) return [];
    return [waiverOfRest(fee)];
  });
}

function mailOf(
  capture: Capture,
  { amountCents }: GatewayDispute,
  units: { unitName: string; cents: number }[],
) {
  return {
    ...capture,
    paidOn: calendarDateIn(capture.timeZone, capture.createdAt),
    cents: amountCents,
    units: units.map(({ unitName, cents }) => ({ unitName, cents })),
  };
}

async function alarmOfOpened(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  dispute: GatewayDispute,
  notTakenBackCents: number,
): Promise<void> {
  const amount = formatCents(dispute.amountCents);
  await alarmOf(ctx, trx, capture, dispute, {
    kind: 'card_dispute',
    sentence: `A card payment is disputed, and ${amount} was taken back. ${evidenceBy(capture, dispute)}`,
    more: { notTakenBackCents },
  });
}

function formatCents(cents: number): string {
  return formatMoney(toDollars(cents));
}

async function alarmOfInquiry(
  ctx: Context,
  intentId: string,
  dispute: GatewayDispute,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const capture = (await lockCapture(trx, intentId))!;
    await alarmOf(ctx, trx, capture, dispute, {
      kind: 'card_inquiry',
      sentence: `A bank asks about a card payment before it becomes a dispute. ${evidenceBy(capture, dispute)}`,
    });
  });
}

function evidenceBy({ timeZone }: Capture, { evidenceDueAt }: GatewayDispute): string {
  return evidenceDueAt === null
    ? 'Answer it at the gateway.'
    : `Answer it at the gateway by ${formatDate(calendarDateIn(timeZone, evidenceDueAt))}.`;
}

type DisputeAlarm = { kind: AlarmKind; sentence: string; more?: Record<string, unknown> };

async function alarmOf(
  ctx: Context,
  trx: DatabaseTransaction,
  { id, facilityId }: Capture,
  dispute: GatewayDispute,
  { kind, sentence, more }: DisputeAlarm,
): Promise<void> {
  const { id: gatewayDispute, amountCents: cents, evidenceDueAt } = dispute;
  const facts = {
    gatewayDispute,
    intent: id,
    cents,
    evidenceDueAt: evidenceDueAt?.toISOString() ?? null,
    ...more,
  };
  await raiseAlarm(ctx, trx, {
    kind,
    key: `${kind}:${gatewayDispute}`,
    facilityId,
    sentence,
    facts,
  });
}

async function note(
  ctx: Context,
  trx: DatabaseTransaction,
  kind: AuditKind,
  { id, tenantId, facilityId }: Capture,
  dispute: GatewayDispute,
): Promise<void> {
  const details = { dispute: dispute.id, payment: id, cents: String(dispute.amountCents) };
  await audit(ctx, trx, { ip: '', requestId: randomUUID() }, [
    { kind, tenantId, facilityId, details },
  ]);
}
