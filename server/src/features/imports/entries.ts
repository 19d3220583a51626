import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { ChargeCategory, PaymentOrder } from '#db/tables.ts';
import type { Books, PostedAllocation } from '#features/ledgers/books.ts';
import { readBooks } from '#features/ledgers/postings.ts';
import type { Faults } from './faults.ts';
import { replay, type ImportedEntry, type Replayed } from './replay.ts';
import { atNoon, type Counts, type Place } from './rows.ts';

/** So many ledgers are read and reckoned at a time: an import's memory does not grow with its files. */
const AT_ONCE = 250;

/** New entries of the files, as `e`: what a ledger is posted, in the order of its days. */
const newEntries = (facility: string) => sql`(
  SELECT s.ledger_id, s.row_id AS id, 'charge' AS kind, s.price - coalesce(s.discount, 0) + coalesce(s.tax1, 0)
    + coalesce(s.tax2, 0) AS cents, coalesce(s.posted_on, s.due_on) AS posted_on, 0 AS rank, s.line, s.category, s.due_on,
    s.period_end, NULL::uuid AS payment_id
  FROM staged_charges s WHERE s.facility = ${facility} AND s.is_new
  UNION ALL
  SELECT s.ledger_id, s.row_id, coalesce(s.kind, 'payment'), s.amount, s.paid_on, 1, s.line, NULL, NULL, NULL, NULL
  FROM staged_payments s WHERE s.facility = ${facility} AND s.is_new
  UNION ALL
  SELECT s.ledger_id, s.back_id, 'reversal', s.taken_back, s.taken_back_on, 2, s.line, NULL, NULL, NULL, s.row_id
  FROM staged_payments s WHERE s.facility = ${facility} AND s.is_new AND s.taken_back IS NOT NULL
) e`;

/** What a ledger of the files says of itself; of one that the database has and the files do not, nothing. */
type ImportedLedger = {
  id: string;
  key: string;
  line: number | null;
  isNew: boolean;
  paidThrough: string | null;
};

type EntryRow = { key: string; id: string; on: string; cents: number } & (
  | { kind: 'charge'; category: ChargeCategory; dueOn: string; periodEnd: string | null; paymentId: null }
  | { kind: 'payment' | 'credit'; paymentId: null }
  | { kind: 'reversal'; paymentId: string }
);

/**
 * Holds each new ledger's paid-through date against what its charges and payments come to. `onReplayed` gets the allocations of
 * each ledger that has new entries, a batch at a time, and its new standing where it was there before.
 */
export async function replayEntries(
  db: Database,
  { facility, paymentOrder }: { facility: string; paymentOrder: PaymentOrder },
  faults: Faults,
  onReplayed: (batch: { ledgerId: string; isNew: boolean; replayed: Replayed }[]) => Promise<void>,
): Promise<void> {
  for (let after = ''; ;) {
    const ledgers = await nextLedgers(db, facility, after);
    const last = ledgers.at(-1);
    if (last === undefined) return;
    after = last.key;
    const entries = await entriesOf(db, facility, ledgers);
    const standing = await booksOf(db, ledgers, paymentOrder, entries);
    const batch = ledgers.map(({ id, key, line, isNew, paidThrough }) => {
      const replayed = replay(standing.get(id)!, entries.get(key) ?? []);
      if (isNew && paidThrough !== replayed.paidThrough)
        faults.add({
          file: 'ledgers.csv',
          line,
          column: 'paid_through',
          facility,
          says: `is ${paidThrough ?? 'empty'}, but by the charges and payments rent is paid through ${replayed.paidThrough}`,
        });
      return { ledgerId: id, isNew, replayed };
    });
    await onReplayed(batch);
  }
}

/** Ledgers that are new or have new entries, where all of it could be read. */
async function nextLedgers(db: Database, facility: string, after: string): Promise<ImportedLedger[]> {
  const { rows } = await sql<ImportedLedger>`
    SELECT k.row_id AS id, k.id AS key, l.line, coalesce(l.is_new, false) AS "isNew", l.paid_through AS "paidThrough"
    FROM known_ids k LEFT JOIN staged_ledgers l ON l.row_id = k.row_id AND l.facility = k.facility
    WHERE k.kind = 'ledger' AND k.facility = ${facility} AND k.id > ${after} AND l.is_sound IS NOT FALSE
      AND (l.is_new OR EXISTS (SELECT FROM staged_charges c WHERE c.facility = k.facility AND c.ledger_id = k.id AND c.is_new)
        OR EXISTS (SELECT FROM staged_payments p WHERE p.facility = k.facility AND p.ledger_id = k.id AND p.is_new))
      AND NOT EXISTS (
        SELECT FROM staged_charges c WHERE c.facility = k.facility AND c.ledger_id = k.id AND NOT c.is_sound)
      AND NOT EXISTS (
        SELECT FROM staged_payments p WHERE p.facility = k.facility AND p.ledger_id = k.id
          AND (NOT p.is_sound OR p.taken_back > p.amount OR p.taken_back_on < p.paid_on))
    ORDER BY k.id LIMIT ${AT_ONCE}`.execute(db);
  return rows;
}

async function entriesOf(
  db: Database,
  facility: string,
  ledgers: ImportedLedger[],
): Promise<Map<string, ImportedEntry[]>> {
  const { rows } = await sql<EntryRow>`
    SELECT e.ledger_id AS key, e.id, e.kind, e.cents, e.posted_on AS on, e.category, e.due_on AS "dueOn",
      e.period_end AS "periodEnd", e.payment_id AS "paymentId"
    FROM ${newEntries(facility)} WHERE e.ledger_id = ANY(${ledgers.map(({ key }) => key)}::text[])
    ORDER BY e.posted_on, e.rank, e.line`.execute(db);
  return Map.groupBy(rows, ({ key }) => key);
}

/** Empty ones of new ledgers; those of the others are locked until the end of the transaction. */
async function booksOf(
  db: Database,
  ledgers: ImportedLedger[],
  paymentOrder: PaymentOrder,
  entries: Map<string, ImportedEntry[]>,
): Promise<Map<string, Books>> {
  const known = ledgers.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const books = new Map<string, Books>();
  if (known.length > 0) {
    await sql`SELECT FROM ledgers WHERE id = ANY(${known}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(db);
    for (const one of await readBooks(db, known)) books.set(one.ledgerId, one);
  }
  for (const { id, key, isNew, paidThrough } of ledgers)
    if (isNew) {
      const hasRent = entries.get(key)?.some((entry) => entry.kind === 'charge' && entry.category === 'rent') ?? false;
      const billedThrough = hasRent ? '' : (paidThrough ?? '');
      books.set(id, {
        ledgerId: id,
        version: 0,
        balanceCents: 0,
        billedThrough,
        paymentOrder,
        charges: [],
        credits: [],
      });
    }
  return books;
}

/**
 * Writes the new entries of the facility with all that belongs to them, and how their ledgers stand. Nothing is sent to
 * anybody, and no gateway hears of it: the payments were taken elsewhere.
 */
export async function writeEntries(
  place: Place & { paymentOrder: PaymentOrder },
  faults: Faults,
  isDryRun: boolean,
): Promise<{ charges: Counts; payments: Counts }> {
  const { db, facility, facilityId, now } = place;
  await numberReceipts(place, isDryRun);
  const noon = (day: string) => atNoon(day, now);
  await sql`
    INSERT INTO entries (id, ledger_id, kind, amount_cents, posted_on, created_at)
    SELECT e.id, l.row_id, e.kind, CASE WHEN e.rank = 1 THEN -e.cents ELSE e.cents END, e.posted_on, ${noon('e.posted_on')}
    FROM ${newEntries(facility)}
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = ${facility} AND l.id = e.ledger_id
    JOIN facilities f ON f.id = ${facilityId}
    ORDER BY e.posted_on, e.rank, e.line`.execute(db);
  const charges = await sql`
    INSERT INTO charges (entry_id, ledger_id, category, description, due_on, period_end, price_cents, discount_cents,
      tax1_cents, tax2_cents, late_for)
    SELECT s.row_id, l.row_id, s.category, s.description, s.due_on, s.period_end, s.price, coalesce(s.discount, 0),
      coalesce(s.tax1, 0), coalesce(s.tax2, 0), rent.row_id
    FROM staged_charges s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    LEFT JOIN staged_charges rent ON rent.facility = s.facility AND rent.ledger_id = s.ledger_id
      AND rent.charge_id = s.late_for
    WHERE s.facility = ${facility} AND s.is_new`.execute(db);
  await sql`
    INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
    SELECT l.row_id, s.due_on, s.period_end, s.price, ${noon('s.due_on')}
    FROM staged_charges s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN facilities f ON f.id = ${facilityId}
    WHERE s.facility = ${facility} AND s.is_new AND s.category = 'rent'`.execute(db);
  const payments = await writePayments(place, noon);
  await keepIds(place);
  await replayEntries(db, place, faults, (batch) => writeStanding(db, batch));
  return {
    charges: { made: Number(charges.numAffectedRows ?? 0), changed: 0 },
    payments: { made: payments, changed: 0 },
  };
}

/** New ones for those that have none. A dry run takes none out of the sequence. */
async function numberReceipts({ db, facility }: Place, isDryRun: boolean): Promise<void> {
  await sql`
    UPDATE staged_payments SET receipt_number = ${isDryRun ? sql`row_id::text` : sql`nextval('receipt_numbers')::text`}
    WHERE facility = ${facility} AND is_new AND receipt_number IS NULL AND kind IS DISTINCT FROM 'credit'`.execute(db);
}

/** Each payment with an attempt of its own, which was long over and told. Answers how many payments and credits. */
async function writePayments(
  { db, facility, facilityId }: Place,
  noon: (day: string) => RawBuilder<unknown>,
): Promise<number> {
  const from = sql`
    FROM staged_payments s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN facilities f ON f.id = ${facilityId}
    WHERE s.facility = ${facility} AND s.is_new`;
  const description = sql`coalesce(s.description, 'Payment')`;
  const at = noon('s.paid_on');
  const state = sql`CASE WHEN s.taken_back_reason = 'return' THEN 'returned' WHEN s.method = 'ach' THEN 'settled'
    ELSE 'succeeded' END`;
  await sql`
    INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
      receipt_number, created_at, updated_at, told_at, initiator)
    SELECT s.intent_id, (SELECT tenant_id FROM ledgers WHERE id = l.row_id), coalesce(s.method, 'creditCard'),
      ${description}, s.amount, ${state}, sha256(convert_to('import|' || s.row_id, 'UTF8')), 1, s.receipt_number, ${at},
      ${at}, ${at}, 'import' ${from} AND s.kind IS DISTINCT FROM 'credit'`.execute(db);
  await sql`
    INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
    SELECT s.intent_id, l.row_id, s.amount, ${state} ${from} AND s.kind IS DISTINCT FROM 'credit'`.execute(db);
  const payments = await sql`
    INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
    SELECT s.row_id, s.intent_id, l.row_id, ${description}, s.receipt_number
    ${from} AND s.kind IS DISTINCT FROM 'credit'`.execute(db);
  const credits = await sql`
    INSERT INTO credits (entry_id, ledger_id, description)
    SELECT s.row_id, l.row_id, coalesce(s.description, 'Credit') ${from} AND s.kind = 'credit'`.execute(db);
  await sql`
    INSERT INTO reversals (entry_id, payment_entry_id, ledger_id, reason, description)
    SELECT s.back_id, s.row_id, l.row_id, s.taken_back_reason,
      coalesce(s.taken_back_description, initcap(s.taken_back_reason)) ${from} AND s.taken_back IS NOT NULL`.execute(
    db,
  );
  return Number(payments.numAffectedRows ?? 0) + Number(credits.numAffectedRows ?? 0);
}

async function keepIds({ db, facility, facilityId }: Place): Promise<void> {
  await sql`
    INSERT INTO external_ids (facility_id, kind, external_id, row_id)
    SELECT ${facilityId}::uuid, 'charge', charge_id, row_id FROM staged_charges WHERE facility = ${facility} AND is_new
    UNION ALL
    SELECT ${facilityId}::uuid, 'payment', payment_id, row_id FROM staged_payments
    WHERE facility = ${facility} AND is_new`.execute(db);
}

/** The allocations, and how ledgers stand that were there before; new ones stand as their row says. */
async function writeStanding(
  db: Database,
  batch: { ledgerId: string; isNew: boolean; replayed: Replayed }[],
): Promise<void> {
  const all: PostedAllocation[] = batch.flatMap(({ replayed }) => replayed.allocations);
  if (all.length > 0)
    await sql`
      INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents, reversal_entry_id)
      SELECT credit_id, charge_id, cents, reversal_id FROM unnest(
        ${all.map(({ creditId }) => creditId)}::uuid[], ${all.map(({ chargeId }) => chargeId)}::uuid[],
        ${all.map(({ cents }) => cents)}::bigint[], ${all.map(({ reversalId }) => reversalId)}::uuid[]
      ) WITH ORDINALITY AS a (credit_id, charge_id, cents, reversal_id, place) ORDER BY place`.execute(db);
  const moved = batch.filter(({ isNew }) => !isNew);
  if (moved.length === 0) return;
  await sql`
    UPDATE ledgers l SET balance_cents = s.balance_cents, paid_through = s.paid_through,
      billed_through = s.billed_through, version = l.version + 1
    FROM unnest(${moved.map(({ ledgerId }) => ledgerId)}::uuid[],
      ${moved.map(({ replayed }) => replayed.balanceCents)}::bigint[],
      ${moved.map(({ replayed }) => replayed.paidThrough)}::date[],
      ${moved.map(({ replayed }) => replayed.billedThrough)}::date[]
    ) AS s (ledger_id, balance_cents, paid_through, billed_through)
    WHERE l.id = s.ledger_id`.execute(db);
}
