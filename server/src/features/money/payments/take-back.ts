import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import type { CounterType, IntentState, MethodType, ReversalReason } from '#db/tables.ts';
import {
  post,
  type NewReversal,
  type PostedPayment,
  type Posting,
} from '#features/base/ledgers/books.ts';
import { readBooksWithPayments, type BooksWithPayments } from '#features/base/ledgers/postings.ts';

/** A capture, whose ledgers are locked, with what of it can still be taken back. */
export type Capture = {
  id: string;
  state: IntentState;
  type: MethodType | CounterType;
  initiator: string;
  cents: number;
  method: string;
  createdAt: Date;
  tenantId: string;
  firstName: string;
  email: string;
  facilityId: string;
  facilityName: string;
  facilityPhone: string | null;
  timeZone: string;
  ledgers: BooksWithPayments[];
  /**
   * Its payments and the credits of won disputes, by their entries: what was posted last comes
   * first.
   */
  entryIds: string[];
};

/** What is taken back from a ledger, in cents. */
export type TakenLedger = {
  posting: Posting;
  ledgerId: string;
  unitName: string;
  cents: number;
};

/** What is taken back of a capture; less than was asked for where less is left. */
export type Taken = { takenCents: number; ledgers: TakenLedger[] };

/**
 * Reads a capture under locks on the ledgers that it was posted to, so that what is computed from
 * it can be written by `postLocked` in the same transaction. Undefined where there is no such
 * intent.
 */
export async function lockCapture(
  trx: DatabaseTransaction,
  intentId: string,
): Promise<Capture | undefined> {
  await sql`
    SELECT FROM ledgers WHERE id IN (SELECT ledger_id FROM payments WHERE intent_id = ${intentId})
    ORDER BY id FOR NO KEY UPDATE`.execute(trx);
  const { rows } = await sql<Omit<Capture, 'ledgers'>>`
    SELECT i.id, i.state, i.type, i.initiator, i.amount_cents AS cents, i.method_description AS method,
      i.created_at AS "createdAt", t.id AS "tenantId", t.first_name AS "firstName", t.email, f.id AS "facilityId",
      f.name AS "facilityName", f.phone AS "facilityPhone", f.time_zone AS "timeZone",
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
  return capture && { ...capture, ledgers: await readBooksWithPayments(trx, capture.entryIds) };
}

/**
 * Whether the books have a payment of it: not where the gateway charged what they call declined or
 * never sent.
 */
export function isPosted({ entryIds }: Capture): boolean {
  return entryIds.length > 0;
}

/** What is left of a capture, or of one of its entries, in cents. */
export function leftOf(capture: Capture, entryId: string | null): number {
  return partsOf(capture, entryId).reduce((sum, { payment }) => sum + payment.leftCents, 0);
}

/**
 * Computes the reversals of `cents` of a capture, or of one of its entries: of what was posted last
 * first, so over several ledgers from the last part to the first. Never more than is left: answers
 * what is taken in all as `takenCents`.
 */
export function takeBack(
  capture: Capture,
  entryId: string | null,
  cents: number,
  { reason, description }: { reason: ReversalReason; description: string },
): Taken {
  const reversals = new Map<BooksWithPayments, NewReversal[]>();
  let rest = cents;
  for (const { books, payment } of partsOf(capture, entryId)) {
    const taken = Math.min(rest, payment.leftCents);
    if (taken === 0) continue;
    rest -= taken;
    const reversal: NewReversal = {
      kind: 'reversal',
      id: randomUUID(),
      payment,
      cents: taken,
      reason,
      description,
    };
    reversals.set(books, [...(reversals.get(books) ?? []), reversal]);
  }
  const ledgers = [...reversals].map(([books, changes]) => ({
    posting: post(books, changes).posting,
    ledgerId: books.ledgerId,
    unitName: books.unitName,
    cents: changes.reduce((sum, change) => sum + change.cents, 0),
  }));
  return { takenCents: cents - rest, ledgers };
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
