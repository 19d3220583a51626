import { sql, type RawBuilder } from 'kysely';
import { inTransaction, type Database, type DatabaseTransaction } from '#db/database.ts';
import { reopenedOf } from './owed-since.ts';
import {
  entryCents,
  type Books,
  type Change,
  type DescribedCharge,
  type NewCharge,
  type PostedAllocation,
  type PostedPayment,
  type Posting,
} from './books.ts';

/** What one reading of a ledger brings besides its books. */
export type LedgerBooks = Books & { timeZone: string; unitName: string };

/**
 * The books of the ledgers, in id order. A ledger that owes nothing has no open charge, one without
 * a credit no credits.
 */
export async function readBooks(db: Database, ledgerIds: string[]): Promise<LedgerBooks[]> {
  const { rows } = await sql<LedgerBooks>`
    SELECT ${booksColumns} FROM ${ledgersWithFacility} WHERE l.id = ANY(${ledgerIds}::uuid[]) ORDER BY l.id`.execute(
    db,
  );
  return rows;
}

/**
 * What a statement reads of `l`, `u` and `f` for a `LedgerBooks`, along with whatever else it
 * reads.
 */
export const booksColumns = sql`l.id AS "ledgerId", l.version, l.balance_cents AS "balanceCents",
  l.billed_through AS "billedThrough", f.payment_order AS "paymentOrder", f.time_zone AS "timeZone", u.name AS "unitName",
  ${openChargesOf(sql.ref('l'))} AS charges, ${openCreditsOf(sql.ref('l'))} AS credits`;

/** The tables that `booksColumns` reads. */
export const ledgersWithFacility = sql`ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id`;

/**
 * A ledger's open charges as JSON of `OpenCharge`, to select along with whatever else a statement
 * reads of `ledger`.
 */
export function openChargesOf(ledger: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN ${ledger}.balance_cents > 0 THEN (
    SELECT coalesce(json_agg(json_build_object('id', c.entry_id, 'category', c.category, 'dueOn', c.due_on,
      'position', c.position, 'owedCents', c.owed_cents, 'reopened', ${reopenedOf})), '[]')
    FROM open_charges c WHERE c.ledger_id = ${ledger}.id) ELSE '[]' END`;
}

/** A ledger's open credits as JSON of `OpenCredit`. */
export function openCreditsOf(ledger: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN ${ledger}.balance_cents < 0 THEN (
    SELECT coalesce(json_agg(json_build_object('id', c.entry_id, 'position', c.position, 'leftCents', c.left_cents)), '[]')
    FROM open_credits c WHERE c.ledger_id = ${ledger}.id) ELSE '[]' END`;
}

/** The books of a ledger with some of its posted payments as they are, all of one instant. */
export type BooksWithPayments = LedgerBooks & { payments: PostedPayment[] };

/** The books of the ledgers that the payments, by their entries, were posted to; by unit name. */
export async function readBooksWithPayments(
  db: Database,
  entryIds: string[],
): Promise<BooksWithPayments[]> {
  const { rows } = await sql<BooksWithPayments>`
    SELECT ${booksColumns}, ${postedPaymentsOf(sql.ref('l'), entryIds)} AS payments FROM ${ledgersWithFacility}
    WHERE l.id IN (SELECT ledger_id FROM entries WHERE id = ANY(${entryIds}::uuid[]))
    ORDER BY u.name, l.id`.execute(db);
  return rows;
}

/**
 * Locks ledgers in id order and returns their books, which do not change until the transaction
 * ends; `postLocked` writes what is computed from them. Waits for a concurrent posting.
 */
export async function lockBooks(
  trx: DatabaseTransaction,
  ledgerIds: string[],
): Promise<LedgerBooks[]> {
  await lockLedgers(trx, sql`SELECT unnest(${ledgerIds}::uuid[])`);
  return readBooks(trx, ledgerIds);
}

/**
 * Locks the ledgers, which `ledgerIds` selects, in id order, so that two who lock the same never
 * wait for each other: what is read of them afterwards stays so until the transaction ends. Every
 * posting locks them. What only refers to a ledger does not wait.
 */
export async function lockLedgers(
  trx: DatabaseTransaction,
  ledgerIds: RawBuilder<unknown>,
): Promise<void> {
  // As an array: to the ids themselves PostgreSQL would fit a plan of its own, each time.
  await sql`SELECT FROM ledgers WHERE id = ANY (ARRAY(${ledgerIds})) ORDER BY id FOR NO KEY UPDATE`.execute(
    trx,
  );
}

/**
 * Charges as they are, by their entries, in the order of their posting; of other ledgers than this
 * one none.
 */
export function readPostedCharges(
  db: Database,
  ledgerId: string,
  entryIds: string[],
): Promise<DescribedCharge[]> {
  return readChargesWhere(db, ledgerId, sql<boolean>`c.entry_id = ANY(${entryIds}::uuid[])`);
}

/** The same of a ledger's charges `c` that are `which`. */
export async function readChargesWhere(
  db: Database,
  ledgerId: string,
  which: RawBuilder<boolean>,
): Promise<DescribedCharge[]> {
  const { rows } = await sql<DescribedCharge>`
    SELECT c.entry_id AS id, c.category, c.description, c.due_on AS "dueOn", c.period_end AS "periodEnd", c.late_for AS "lateFor", e.position, e.amount_cents AS "totalCents",
      c.tax1_cents AS "tax1Cents", c.tax2_cents AS "tax2Cents", waived.sums AS waived, settled.by AS "settledBy"
    FROM charges c
    JOIN entries e ON e.id = c.entry_id
    CROSS JOIN LATERAL (
      -- A waiver is reversed wholly or not at all.
      SELECT json_build_object('cents', coalesce(sum(-w.amount_cents), 0), 'tax1Cents', coalesce(sum(cr.tax1_cents), 0),
        'tax2Cents', coalesce(sum(cr.tax2_cents), 0)) AS sums
      FROM credits cr JOIN entries w ON w.id = cr.entry_id
      WHERE cr.charge_entry_id = c.entry_id
        AND NOT EXISTS (SELECT FROM reversals rev WHERE rev.payment_entry_id = cr.entry_id)
    ) waived
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('creditId', a.credit_entry_id, 'position', p.position, 'cents', a.cents)
        ORDER BY a.first), '[]') AS by
      FROM (SELECT credit_entry_id, sum(amount_cents)::bigint AS cents, min(id) AS first FROM allocations
        WHERE charge_entry_id = c.entry_id GROUP BY credit_entry_id) a
      JOIN entries p ON p.id = a.credit_entry_id
      WHERE NOT EXISTS (SELECT FROM credits cr WHERE cr.entry_id = a.credit_entry_id AND cr.charge_entry_id IS NOT NULL)
    ) settled
    WHERE c.ledger_id = ${ledgerId} AND ${which}
    ORDER BY e.position`.execute(db);
  return rows;
}

function postedPaymentsOf(ledger: RawBuilder<unknown>, entryIds: string[]): RawBuilder<unknown> {
  return sql`(
    SELECT coalesce(json_agg(json_build_object('id', e.id, 'leftCents', -e.amount_cents - back.cents, 'settled', settled.charges)
      ORDER BY e.position), '[]')
    FROM entries e
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(r.amount_cents), 0)::bigint AS cents FROM reversals rev JOIN entries r ON r.id = rev.entry_id
      WHERE rev.payment_entry_id = e.id
    ) back
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('id', c.entry_id, 'category', c.category, 'dueOn', c.due_on,
        'position', ce.position, 'cents', a.cents, 'reopened', ${reopenedOf}) ORDER BY a.first), '[]') AS charges
      FROM (SELECT charge_entry_id, sum(amount_cents)::bigint AS cents, min(id) AS first FROM allocations
        WHERE credit_entry_id = e.id GROUP BY charge_entry_id HAVING sum(amount_cents) > 0) a
      JOIN charges c ON c.entry_id = a.charge_entry_id JOIN entries ce ON ce.id = c.entry_id
    ) settled
    WHERE e.ledger_id = ${ledger}.id AND e.id = ANY(${entryIds}::uuid[]) AND e.amount_cents < 0
  )`;
}

/** When postings are made, and on which of the facility's days each of their changes, by its id. */
export type PostedAt = { instant: Date; dayOf: (ledgerId: string, changeId: string) => string };

/**
 * Writes postings to ledgers whose books were read without a lock, all or nothing. Locks them in id
 * order. Throws StaleBooks where one has been posted to since its books were read.
 */
export function writePostings(db: Database, at: PostedAt, postings: Posting[]): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql`
      SELECT FROM ledgers l
      JOIN unnest(${postings.map(({ ledgerId }) => ledgerId)}::uuid[], ${postings.map(({ version }) => version)}::bigint[])
        AS read (ledger_id, version) ON read.ledger_id = l.id AND read.version = l.version
      ORDER BY l.id FOR NO KEY UPDATE OF l`.execute(trx);
    if (rows.length < postings.length)
      throw new StaleBooks('a ledger was posted to since it was read');
    await postLocked(trx, at, postings);
  });
}

/** The ledger was posted to since its books were read, and nothing is written. */
export class StaleBooks extends Error {}

/**
 * Writes postings in one statement to ledgers that this transaction has locked before it read their
 * books.
 */
export async function postLocked(
  trx: DatabaseTransaction,
  at: PostedAt,
  postings: Posting[],
): Promise<void> {
  const { numAffectedRows } = await statementOf(at, postings).execute(trx);
  if (numAffectedRows !== BigInt(postings.length))
    throw new Error('a ledger changed while it was locked');
}

/**
 * Names only the tables that get rows: PostgreSQL would start the part of each other one for
 * nothing. So there are as many texts as kinds of postings; a payment is one.
 */
function statementOf({ instant, dayOf }: PostedAt, postings: Posting[]): RawBuilder<unknown> {
  const rows = postings.flatMap(({ ledgerId, changes }) =>
    changes.map((change) => ({ ledgerId, ...change })),
  );
  const parts = [
    standing(postings),
    ...insertionOf(rows, (some) => insertEntries(some, instant, dayOf)),
    ...insertionOf(
      rows.filter((row) => row.kind === 'charge'),
      insertCharges,
    ),
    ...insertionOf(
      rows.flatMap((row) =>
        row.kind === 'charge' && row.again !== undefined ? [{ ...row, ...row.again }] : [],
      ),
      insertOwedAgain,
    ),
    ...insertionOf(
      rows.filter((row) => row.kind === 'payment'),
      insertPayments,
    ),
    ...insertionOf(
      rows.filter((row) => row.kind === 'credit' || row.kind === 'waiver'),
      insertCredits,
    ),
    ...insertionOf(
      rows.filter((row) => row.kind === 'reversal'),
      insertReversals,
    ),
    ...insertionOf(
      postings.flatMap(({ ledgerId, allocations }) =>
        allocations.map((one) => ({ ...one, madeOn: dayOf(ledgerId, one.changeId) })),
      ),
      insertAllocations,
    ),
  ];
  return sql`
    WITH ${sql.join(parts)}
    UPDATE ledgers l SET balance_cents = s.balance_cents, owed_since = s.owed_since,
      paid_through = s.paid_through, billed_through = s.billed_through, version = s.version_after
    FROM standing s WHERE l.id = s.ledger_id AND l.version = s.version`;
}

/** The insertion of these rows, where there are any. */
function insertionOf<Row>(
  rows: Row[],
  insert: (rows: Row[]) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return rows.length > 0 ? [insert(rows)] : [];
}

/** The state of the ledgers before and after. */
function standing(postings: Posting[]): RawBuilder<unknown> {
  return sql`standing AS (
      SELECT * FROM unnest(
        ${postings.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${postings.map(({ version }) => version)}::bigint[],
        ${postings.map(({ versionAfter }) => versionAfter)}::bigint[],
        ${postings.map(({ balanceCents }) => balanceCents)}::bigint[],
        ${postings.map(({ owedSince }) => owedSince)}::date[],
        ${postings.map(({ paidThrough }) => paidThrough)}::date[],
        ${postings.map(({ billedThrough }) => billedThrough)}::date[]
      ) AS s (ledger_id, version, version_after, balance_cents, owed_since, paid_through, billed_through)
    )`;
}

type Row<Kind extends Change['kind'] = Change['kind']> = Extract<Change, { kind: Kind }> & {
  ledgerId: string;
};

function insertEntries(rows: Row[], instant: Date, dayOf: PostedAt['dayOf']): RawBuilder<unknown> {
  return sql`entry AS (
      INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on, created_at)
      SELECT e.id, e.ledger_id, u.facility_id, e.kind, e.cents, e.posted_on, ${instant}::timestamptz FROM unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${rows.map(({ kind }) => (kind === 'waiver' ? 'credit' : kind))}::text[], ${rows.map((row) => entryCents(row))}::bigint[],
        ${rows.map(({ ledgerId, id }) => dayOf(ledgerId, id))}::date[]
      ) WITH ORDINALITY AS e (id, ledger_id, kind, cents, posted_on, place)
      JOIN ledgers l ON l.id = e.ledger_id JOIN units u ON u.id = l.unit_id ORDER BY e.place
    )`;
}

function insertCharges(charges: Row<'charge'>[]): RawBuilder<unknown> {
  return sql`charge AS (
      INSERT INTO charges (entry_id, ledger_id, category, description, due_on, period_end, price_cents, discount_cents,
        tax1_cents, tax2_cents, late_for)
      SELECT * FROM unnest(
        ${charges.map(({ id }) => id)}::uuid[], ${charges.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${charges.map(({ category }) => category)}::text[], ${charges.map(({ description }) => description)}::text[],
        ${charges.map(({ dueOn }) => dueOn)}::date[], ${charges.map(({ periodEnd }) => periodEnd)}::date[],
        ${charges.map(({ priceCents }) => priceCents)}::bigint[],
        ${charges.map(({ discountCents }) => discountCents)}::bigint[],
        ${charges.map(({ tax1Cents }) => tax1Cents)}::bigint[], ${charges.map(({ tax2Cents }) => tax2Cents)}::bigint[],
        ${charges.map(({ lateFor }) => lateFor)}::uuid[]
      )
    )`;
}

function insertOwedAgain(
  charges: ({ id: string; ledgerId: string } & NonNullable<NewCharge['again']>)[],
): RawBuilder<unknown> {
  return sql`owed_again AS (
      INSERT INTO owed_again (entry_id, payment_entry_id, ledger_id, reason, description)
      SELECT * FROM unnest(
        ${charges.map(({ id }) => id)}::uuid[], ${charges.map(({ paymentId }) => paymentId)}::uuid[],
        ${charges.map(({ ledgerId }) => ledgerId)}::uuid[], ${charges.map(({ reason }) => reason)}::text[],
        ${charges.map(({ description }) => description)}::text[]
      )
    )`;
}

function insertPayments(payments: Row<'payment'>[]): RawBuilder<unknown> {
  return sql`payment AS (
      INSERT INTO payments (entry_id, ledger_id, intent_id, description, receipt_number)
      SELECT * FROM unnest(
        ${payments.map(({ id }) => id)}::uuid[], ${payments.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${payments.map(({ intentId }) => intentId)}::uuid[], ${payments.map(({ description }) => description)}::text[],
        ${payments.map(({ receiptNumber }) => receiptNumber)}::text[]
      )
    )`;
}

function insertCredits(credits: Row<'credit' | 'waiver'>[]): RawBuilder<unknown> {
  const waivers = credits.map((row) => (row.kind === 'waiver' ? row : null));
  return sql`credit AS (
      INSERT INTO credits (entry_id, ledger_id, description, charge_entry_id, tax1_cents, tax2_cents, moved_by, is_write_off, is_assigned)
      SELECT * FROM unnest(
        ${credits.map(({ id }) => id)}::uuid[], ${credits.map(({ ledgerId }) => ledgerId)}::uuid[],
        ${credits.map(({ description }) => description)}::text[],
        ${waivers.map((waiver) => waiver?.charge.id ?? null)}::uuid[],
        ${waivers.map((waiver) => waiver?.tax1Cents ?? 0)}::bigint[],
        ${waivers.map((waiver) => waiver?.tax2Cents ?? 0)}::bigint[],
        ${credits.map((row) => (row.kind === 'credit' && row.movedBy) || null)}::uuid[],
        ${waivers.map((waiver) => waiver?.isWriteOff ?? false)}::boolean[],
        ${waivers.map((waiver) => waiver?.isAssigned ?? false)}::boolean[]
      )
    )`;
}

function insertReversals(reversals: Row<'reversal'>[]): RawBuilder<unknown> {
  return sql`reversal AS (
      INSERT INTO reversals (entry_id, payment_entry_id, ledger_id, reason, description, owed_on)
      SELECT * FROM unnest(
        ${reversals.map(({ id }) => id)}::uuid[], ${reversals.map(({ payment }) => payment.id)}::uuid[],
        ${reversals.map(({ ledgerId }) => ledgerId)}::uuid[], ${reversals.map(({ reason }) => reason)}::text[],
        ${reversals.map(({ description }) => description)}::text[],
        ${reversals.map(({ owedOn }) => owedOn ?? null)}::date[]
      )
    )`;
}

function insertAllocations(
  allocations: (PostedAllocation & { madeOn: string })[],
): RawBuilder<unknown> {
  return sql`allocation AS (
      INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents, reversal_entry_id, made_on)
      SELECT credit_id, charge_id, cents, reversal_id, made_on FROM unnest(
        ${allocations.map(({ creditId }) => creditId)}::uuid[], ${allocations.map(({ chargeId }) => chargeId)}::uuid[],
        ${allocations.map(({ cents }) => cents)}::bigint[], ${allocations.map(({ reversalId }) => reversalId)}::uuid[],
        ${allocations.map(({ madeOn }) => madeOn)}::date[]
      ) WITH ORDINALITY AS a (credit_id, charge_id, cents, reversal_id, made_on, place) ORDER BY place
    )`;
}
