import { randomUUID } from 'node:crypto';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { CounterType, IntentState, MethodType, ReversalReason } from '#db/tables.ts';
import type { Owed } from '#emails/owed.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import {
  entryCents,
  post,
  type Change,
  type OwedAgainReason,
  type PostedPayment,
  type Posting,
} from '#features/base/ledgers/books.ts';
import { owedOnAfter } from '#features/base/ledgers/owed-since.ts';
import {
  lockLedgers,
  readBooksWithPayments,
  type BooksWithPayments,
} from '#features/base/ledgers/postings.ts';
import { findOwed } from '#features/service/gate-access/owed.ts';
import { feeOf } from './fee.ts';

/** A capture, whose ledgers are locked, with what of it can still be taken back. */
export type Capture = {
  id: string;
  state: IntentState;
  type: MethodType | CounterType;
  initiator: string;
  cents: number;
  method: string;
  receiptNumber: string | null;
  createdAt: Date;
  tenantId: string;
  firstName: string;
  email: string;
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
  /** The facility's fee for a payment that its bank did not honour, in cents. */
  returnFeeCents: number;
  ledgers: BooksWithPayments[];
  /**
   * Its payments and the credits of won disputes, by their entries: what was posted last comes
   * first.
   */
  entryIds: string[];
  /** What was taken back of them before, the last first. */
  before: Before[];
};

/** `isAgain` where it was charged, since less was left of the payment. */
type Before = {
  paymentId: string;
  reason: ReversalReason;
  description: string;
  cents: number;
  isAgain: boolean;
};

/** What is taken back from a ledger, in cents: reversals, and charges of what was not left. */
export type TakenLedger = {
  posting: Posting;
  books: BooksWithPayments;
  ledgerId: string;
  unitName: string;
  cents: number;
  again: { description: string; cents: number }[];
};

/** `owedOn`: from when on what an act of the operator's opens again is enforced; null: at once. */
export type Taken = { takenCents: number; ledgers: TakenLedger[]; owedOn: string | null };

/**
 * Reads a capture under locks on the ledgers that it was posted to, and on those that continue them
 * with another tenant, so that what is computed from it can be written by `postLocked` in the same
 * transaction. Undefined where there is no such intent.
 */
export async function lockCapture(
  trx: DatabaseTransaction,
  intentId: string,
): Promise<Capture | undefined> {
  await lockLedgers(
    trx,
    sql`SELECT own.id FROM payments p JOIN ledgers own ON own.id = p.ledger_id OR own.continues_ledger_id = p.ledger_id
      WHERE p.intent_id = ${intentId}`,
  );
  const { rows } = await sql<Omit<Capture, 'ledgers' | 'before'>>`
    SELECT i.id, i.state, i.type, i.initiator, i.amount_cents AS cents, i.method_description AS method,
      i.receipt_number AS "receiptNumber", i.created_at AS "createdAt", t.id AS "tenantId",
      t.first_name AS "firstName", t.email, f.id AS "facilityId", f.name AS "facilityName",
      f.phone AS "facilityPhone", f.time_zone AS "timeZone", f.return_fee_cents AS "returnFeeCents",
      ARRAY(
        SELECT e.id::text FROM entries e WHERE e.id IN (
          SELECT entry_id FROM payments WHERE intent_id = i.id
          UNION ALL
          SELECT part.credit_entry_id FROM disputes d JOIN dispute_parts part ON part.dispute_id = d.id
          WHERE d.intent_id = i.id AND part.credit_entry_id IS NOT NULL)
        ORDER BY e.position DESC) AS "entryIds"
    FROM payment_intents i
    JOIN tenants t ON t.id = i.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    WHERE i.id = ${intentId}`.execute(trx);
  const [capture] = rows;
  if (capture === undefined) return undefined;
  const { rows: before } = await sql<Before>`
    SELECT back.payment_entry_id AS "paymentId", back.reason, back.description, e.amount_cents AS cents,
      e.kind = 'charge' AS "isAgain"
    FROM taken_back back JOIN entries e ON e.id = back.entry_id
    WHERE back.payment_entry_id = ANY(${capture.entryIds}::uuid[])
    ORDER BY e.position DESC`.execute(trx);
  const ledgers = await readBooksWithPayments(trx, capture.entryIds);
  return { ...capture, before, ledgers };
}

/**
 * Whether the books have a payment of it: not where the gateway charged what they call declined or
 * never sent.
 */
export function isPosted({ entryIds }: Capture): boolean {
  return entryIds.length > 0;
}

/** What is left of a capture, or of one of its entries, in cents. */
function leftOf(capture: Capture, entryId: string | null): number {
  return partsOf(capture, entryId).reduce((sum, { payment }) => sum + payment.leftCents, 0);
}

/** Reasons for which a payment, or a part of it, is no longer one, whatever else became of it. */
const undone: ReversalReason[] = ['return', 'nsf', 'chargeback', 'mistake', 'correction'];

/**
 * What a bank takes when it takes a capture back, or one of its entries, in cents: the whole,
 * whatever was refunded of it or moved to another rental. 0 once it has, until a dispute is won.
 */
export function wholeOf(capture: Capture, entryId: string | null): number {
  const parts = partsOf(capture, entryId);
  return capture.before
    .filter(({ paymentId }) => parts.some(({ payment }) => payment.id === paymentId))
    .reduce(
      (cents, back) => {
        const was = back.isAgain ? 0 : back.cents;
        return cents + was - (undone.includes(back.reason) ? back.cents : 0);
      },
      leftOf(capture, entryId),
    );
}

/**
 * What can be refunded of a capture, or of one of its entries, in cents: what is left, and never
 * more in all than was paid. The credit of a won dispute may be more than that.
 */
export function refundableOf(capture: Capture, entryId: string | null): number {
  const refunded = capture.before
    .filter(({ reason }) => reason === 'refund')
    .reduce((sum, { cents }) => sum + cents, 0);
  return Math.max(0, Math.min(leftOf(capture, entryId), wholeOf(capture, null) - refunded));
}

type Taking = {
  reason: OwedAgainReason;
  /** For the ledger. */
  description: string;
  /** The facility's day. */
  on: string;
  /** Charged with it, on the ledger that was paid first. */
  fee?: { cents: number; description: string };
};

/**
 * Computes what `cents` that go back of a capture, or of one of its entries, post: reversals of
 * what is left, of what was posted last first, so over several ledgers from the last part to the
 * first; then charges of what had left it before, by a refund or as a credit that was moved, on the
 * ledgers that it had paid. So what goes back is owed again whole. Never more than the capture was
 * of: answers what is taken in all as `takenCents`.
 */
export function takeBack(
  capture: Capture,
  entryId: string | null,
  cents: number,
  { reason, description, on, fee }: Taking,
): Taken {
  const owedOn = owedOnAfter(reason, on);
  const changes = new Map<BooksWithPayments, Change[]>();
  const add = (books: BooksWithPayments, change: Change) =>
    changes.set(books, [...(changes.get(books) ?? []), change]);
  const parts = partsOf(capture, entryId);
  let rest = cents;
  for (const { books, payment } of parts) {
    const taken = Math.min(rest, payment.leftCents);
    if (taken === 0) continue;
    rest -= taken;
    const of = { payment, cents: taken, reason, description, owedOn };
    add(books, { kind: 'reversal', id: randomUUID(), ...of });
  }
  const suffix = reason === 'refund' ? 'before it was refunded' : 'before it was taken back';
  for (const gone of capture.before) {
    const part = parts.find(({ payment }) => payment.id === gone.paymentId);
    const again = gone.isAgain || isNoPayment(gone) ? 0 : Math.min(rest, gone.cents);
    if (part === undefined || again === 0) continue;
    rest -= again;
    add(part.books, {
      ...feeOf(again, on, `${gone.description} ${suffix}`),
      again: { paymentId: part.payment.id, reason, description },
    });
  }
  const touched = [...new Set(parts.map(({ books }) => books))].filter((one) => changes.has(one));
  const ledgers = touched.map((books, index): TakenLedger => {
    const own = changes.get(books)!;
    const hasFee = fee !== undefined && fee.cents > 0 && index === touched.length - 1;
    const all = hasFee ? [...own, feeOf(fee.cents, on, fee.description)] : own;
    return {
      posting: post(books, all).posting,
      books,
      ledgerId: books.ledgerId,
      unitName: books.unitName,
      cents: own.reduce((sum, change) => sum + entryCents(change), 0),
      again: own.flatMap((change) =>
        change.kind === 'charge'
          ? [{ description: change.description, cents: entryCents(change) }]
          : [],
      ),
    };
  });
  const isOwed = ledgers.some(({ posting }) => posting.balanceCents > 0);
  return { takenCents: cents - rest, ledgers, owedOn: isOwed ? owedOn : null };
}

/** The entries that take something back, without the fee. */
export function entriesOf({ posting }: TakenLedger) {
  return posting.changes.flatMap((change) => {
    if (change.kind === 'reversal')
      return [{ id: change.id, paymentId: change.payment.id, cents: change.cents }];
    if (change.kind === 'charge' && change.again !== undefined)
      return [{ id: change.id, paymentId: change.again.paymentId, cents: entryCents(change) }];
    return [];
  });
}

/**
 * Raises an alarm where money went back of a payment that had less left, once for a taking: the
 * tenant owes it, and a person has to ask for it.
 */
export async function alarmOfOwedAgain(
  ctx: Context,
  trx: DatabaseTransaction,
  capture: Capture,
  { takenCents, ledgers }: Taken,
  key: string,
): Promise<void> {
  const again = ledgers.flatMap(({ unitName, again: own }) =>
    own.map((one) => ({ unitName, ...one })),
  );
  if (again.length === 0) return;
  const money = (cents: number) => formatMoney(toDollars(cents));
  const owed = again.map(
    ({ unitName, cents, description }) =>
      `unit ${unitName} owes ${money(cents)} again (${description})`,
  );
  const againCents = again.reduce((sum, { cents }) => sum + cents, 0);
  await raiseAlarm(ctx, trx, {
    kind: 'returned_after_refund',
    key: `returned_after_refund:${key}`,
    facilityId: capture.facilityId,
    sentence: `${money(takenCents)} of receipt ${capture.receiptNumber} went back, of which ${money(againCents)} had left it before: ${owed.join(', ')}.`,
    facts: { intent: capture.id, cents: takenCents, againCents },
  });
}

/** What was corrected never was paid: no bank can take it. */
function isNoPayment({ reason }: Before): boolean {
  return reason === 'mistake' || reason === 'correction';
}

function partsOf({ ledgers, entryIds }: Capture, entryId: string | null) {
  const parts = ledgers.flatMap((books) =>
    books.payments.map((payment): Part => ({ books, payment })),
  );
  return entryIds
    .filter((id) => entryId === null || id === entryId)
    .flatMap((id) => parts.find(({ payment }) => payment.id === id) ?? []);
}

type Part = { books: BooksWithPayments; payment: PostedPayment };

/** What the rentals of a capture owe once it was taken back, for the mail about it. */
export function findOwedBy(
  ctx: Context,
  trx: DatabaseTransaction,
  { ledgers }: Capture,
): Promise<Owed[]> {
  return findOwed(
    ctx,
    trx,
    ledgers.map(({ ledgerId }) => ledgerId),
  );
}
