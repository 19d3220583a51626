import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { notFound } from '#errors/refusal.ts';
import {
  gateDebtColumns,
  isSuspended,
  type GateDebt,
} from '#features/service/gate-access/suspension.ts';
import { notEnforcedOf } from '#features/base/ledgers/owed-since.ts';
import { gateOwedSince } from '#features/service/gate-access/waiting-payments.ts';
import { allocate } from '#features/base/ledgers/allocation.ts';
import { findLedgers, type LedgerRow } from '#features/base/ledgers/ledgers.ts';
import type { Books } from '#features/base/ledgers/books.ts';
import { readBooks } from '#features/base/ledgers/postings.ts';
import type { Caller } from '#http/guard.ts';
import { centsAhead, readAhead, type Ahead } from './ahead.ts';
import { readDebt } from './begin.ts';
import { checkAmounts } from './payments.ts';

/** What is asked: a part of the balance in dollars, or this many bills ahead. */
type Asked = { amount?: number | undefined; prepayMonths?: number | undefined };

/**
 * What a payment of a rental of the caller would pay, and whether it opens the gate, as it is now;
 * charges nothing. Refuses as `makePayment` does.
 */
export async function previewPayment(
  ctx: Context,
  caller: Caller,
  ledgerId: string,
  { amount, prepayMonths }: Asked,
): Promise<PaymentPreview> {
  const today = calendarDateIn(caller.timeZone, ctx.clock.now());
  const ledger = (await findLedgers(ctx.db, caller.tenantIds, today)).find(
    ({ id }) => id === ledgerId,
  );
  if (ledger === undefined) throw notFound();
  const { balance_cents: balanceCents, tenant_id: tenantId } = ledger;
  const ahead =
    prepayMonths === undefined ? null : await readAhead(ctx.db, ledgerId, prepayMonths, today);
  const cents = ahead === null ? toCents(amount!) : centsAhead(ahead, balanceCents);
  const lines = [{ ledgerId, cents }];
  const asked = { tenantId, userId: null, idempotencyKey: null, lines, today };
  checkAmounts(ctx, await readDebt(ctx.db, asked), ahead);
  const owedCents = Math.max(0, balanceCents);
  const charges = await settledBy(ctx, ledger, cents);
  return {
    amount: toDollars(cents),
    pays: [...charges.map(chargePaid), ...billsPaid(ahead)],
    left: toDollars(Math.max(0, owedCents - cents)),
    credit: toDollars(Math.max(0, cents - balanceCents)),
    paidThrough: ahead?.bills.at(-1)?.periodEnd ?? null,
    gate: await gateAfter(ctx, ledgerId, { cents, charges, today }),
  };
}

type Settled = { id: string; description: string; cents: number; isWhole: boolean };

/** The charges that are owed and that a payment settles, in its order. */
async function settledBy(
  { db }: Context,
  { id, charges }: LedgerRow,
  cents: number,
): Promise<Settled[]> {
  const [books] = await readBooks(db, [id]);
  return allocate(books!.charges, cents, books!.paymentOrder).map((part) => {
    const charge = charges.find((one) => one.id === part.chargeId);
    return {
      id: part.chargeId,
      description: charge?.description ?? '',
      cents: part.cents,
      isWhole: charge?.owed_cents === part.cents,
    };
  });
}

function chargePaid({ description, cents, isWhole }: Settled): PaymentPreview['pays'][number] {
  return { description, amount: toDollars(cents), isWhole };
}

/** The bills to come in one line: they are as many as twelve. */
function billsPaid(ahead: Ahead | null): PaymentPreview['pays'] {
  const bills = ahead?.bills ?? [];
  const [first, last] = [bills[0], bills.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days = `${formatDate(first.dueOn)} - ${formatDate(last.periodEnd)}`;
  return [
    {
      description: t('{count, plural, one {# month} other {# months}}, {days}', {
        count: bills.length,
        days,
      }),
      amount: toDollars(bills.reduce((sum, { cents }) => sum + cents, 0)),
      isWhole: true,
    },
  ];
}

type GateRow = GateDebt & {
  waitsForSettlement: boolean;
  leftSince: string | null;
  notEnforced: { id: string; cents: number }[];
};

/** Null where the gate is not closed. */
async function gateAfter(
  ctx: Context,
  ledgerId: string,
  { cents, charges, today }: { cents: number; charges: Settled[]; today: string },
): Promise<PaymentPreview['gate']> {
  const whole = charges.filter(({ isWhole }) => isWhole).map(({ id }) => id);
  const { rows } = await sql<GateRow>`
    SELECT ${gateDebtColumns(ctx, today)}, f.gate_waits_for_settlement AS "waitsForSettlement",
      (SELECT min(${gateOwedSince}) FROM open_charges c JOIN entries e ON e.id = c.entry_id
        WHERE c.ledger_id = l.id AND c.entry_id <> ALL (${whole}::uuid[])) AS "leftSince",
      (SELECT coalesce(json_agg(json_build_object('id', c.entry_id, 'cents', ${notEnforcedOf(today)})), '[]')
        FROM open_charges c WHERE c.ledger_id = l.id) AS "notEnforced"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ${ledgerId}`.execute(ctx.db);
  const { waitsForSettlement, leftSince, notEnforced, ...debt } = rows[0]!;
  if (!isSuspended(debt, today)) return null;
  const balanceCents = debt.balanceCents - cents;
  const owedSince = debt.owedSince === null ? null : leftSince;
  const [books] = await readBooks(ctx.db, [ledgerId]);
  const enforcedAfter = (paidCents: number) => enforcedLeft(books!, notEnforced, paidCents);
  const left = { balanceCents, owedSince, notEnforcedCents: balanceCents - enforcedAfter(cents) };
  const isOpened = !isSuspended({ ...debt, ...left }, today);
  const isForMoney = !debt.isOverlocked && debt.waitingCents === null;
  return {
    isOpened,
    more: isOpened || !isForMoney ? null : toDollars(moreToOpen(enforcedAfter, cents, debt)),
    waitsForBank: waitsForSettlement,
  };
}

/** What of a ledger's charges is owed and enforced once `cents` more are paid. */
function enforcedLeft(
  { charges, paymentOrder }: Books,
  notEnforced: GateRow['notEnforced'],
  cents: number,
): number {
  const parts = allocate(charges, cents, paymentOrder);
  return charges.reduce((sum, { id, owedCents }) => {
    const owed = owedCents - (parts.find((part) => part.chargeId === id)?.cents ?? 0);
    const later = notEnforced.find((one) => one.id === id)?.cents ?? 0;
    return sum + Math.max(0, owed - later);
  }, 0);
}

/**
 * The least to pay after `cents` that brings what is enforced below the sum that suspends a gate,
 * whatever the days. In the facility's order a payment may first settle what is not enforced yet.
 */
function moreToOpen(
  enforcedAfter: (cents: number) => number,
  cents: number,
  { balanceCents, leastCents }: GateDebt,
): number {
  let [least, most] = [cents, balanceCents];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (enforcedAfter(middle) < leastCents) most = middle;
    else least = middle + 1;
  }
  return most - cents;
}
