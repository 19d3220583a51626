import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { ChargeCategory, PaymentOrder, ReversalReason } from '#db/tables.ts';
import { findBookFaults } from '#features/money/books-check/find-book-faults.ts';
import type { Books, Posting } from '#features/base/ledgers/books.ts';
import { postLocked, readBooks, readPostedCharges } from '#features/base/ledgers/postings.ts';
import { writeRateSince } from '#features/base/ledgers/rate-since.ts';
import type { Fault, Faults } from './faults.ts';
import { postEntries, type ImportedEntry } from './history.ts';
import { atNoon, type Counts, type Place } from './rows.ts';

/**
 * This many ledgers are read and computed at a time: an import's memory does not grow with its
 * files.
 */
const AT_ONCE = 250;
const CHECKED_AT_ONCE = 1000;

/** New entries of the files, as `e`: what a ledger is posted, in the order of its days. */
export const newEntries = (facility: string) => sql`(
  SELECT s.ledger_id, s.row_id AS id, 'charge' AS kind, s.price - coalesce(s.discount, 0) + coalesce(s.tax1, 0)
    + coalesce(s.tax2, 0) AS cents, coalesce(s.posted_on, s.due_on) AS posted_on, 0 AS rank, s.line, s.description,
    s.category, s.due_on, s.period_end, s.price, coalesce(s.discount, 0) AS discount, coalesce(s.tax1, 0) AS tax1,
    coalesce(s.tax2, 0) AS tax2, rent.row_id AS of_id, NULL AS receipt_number, NULL AS reason,
    s.posting_order
  FROM staged_charges s
  LEFT JOIN staged_charges rent ON rent.facility = s.facility AND rent.ledger_id = s.ledger_id
    AND rent.charge_id = s.late_for
  WHERE s.facility = ${facility} AND s.is_new
  UNION ALL
  SELECT s.ledger_id, s.row_id, CASE WHEN s.waives IS NULL THEN coalesce(s.kind, 'payment') ELSE 'waiver' END, s.amount,
    s.paid_on, 1, s.line, coalesce(s.description, initcap(coalesce(s.kind, 'payment'))), NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, coalesce(waived.row_id, s.intent_id), s.receipt_number, NULL, s.posting_order
  FROM staged_payments s
  LEFT JOIN staged_charges waived ON waived.facility = s.facility AND waived.ledger_id = s.ledger_id
    AND waived.charge_id = s.waives
  WHERE s.facility = ${facility} AND s.is_new
  UNION ALL
  SELECT s.ledger_id, s.back_id, 'reversal', s.taken_back, s.taken_back_on, 2, s.line,
    coalesce(s.taken_back_description, initcap(s.taken_back_reason)), NULL, NULL, NULL, NULL, NULL, NULL, NULL, s.row_id,
    NULL, s.taken_back_reason, s.taken_back_order
  FROM staged_payments s WHERE s.facility = ${facility} AND s.is_new AND s.taken_back IS NOT NULL
) e`;

/**
 * A ledger that is new or has new entries; `paidThrough` is what its row says, of one that has none
 * null.
 */
type ImportedLedger = {
  id: string;
  key: string;
  line: number | null;
  isNew: boolean;
  paidThrough: string | null;
};

/**
 * A new entry as it is read; `ofId` is the intent of a payment, what a waiver, late fee or reversal
 * is of.
 */
type EntryRow = Pick<ImportedEntry, 'id' | 'on' | 'line' | 'order'> & {
  key: string;
  cents: number;
  description: string;
} & (
    | {
        kind: 'charge';
        category: ChargeCategory;
        dueOn: string;
        periodEnd: string | null;
        priceCents: number;
        discountCents: number;
        tax1Cents: number;
        tax2Cents: number;
        ofId: string | null;
      }
    | { kind: 'payment'; ofId: string; receiptNumber: string }
    | { kind: 'credit' }
    | { kind: 'waiver'; ofId: string }
    | { kind: 'reversal'; ofId: string; reason: ReversalReason }
  );

/**
 * Computes the new entries of the files, this many ledgers at a time: opening balances of ledgers
 * that are new with their file, and postings to those that were there before. `onReckoned` gets
 * what is to be written, and each entry's day. Adds the faults that only the books show: an entry
 * that does not fit, and another paid-through date than a new ledger's row has.
 */
export async function reckonEntries(
  db: Database,
  { facility, paymentOrder }: { facility: string; paymentOrder: PaymentOrder },
  faults: Faults,
  onReckoned: (postings: Posting[], days: Map<string, string>) => Promise<void>,
): Promise<void> {
  const all = await ledgersToReckon(db, facility);
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const ledgers = all.slice(from, from + AT_ONCE);
    const rows = await rowsOf(db, facility, ledgers);
    const books = await booksOf(db, ledgers, paymentOrder, rows);
    const postings: Posting[] = [];
    for (const ledger of ledgers) {
      const entries = (rows.get(ledger.key) ?? []).map(asEntry);
      const waived = ledger.isNew ? [] : waivedIds(entries);
      const posted = waived.length === 0 ? [] : await readPostedCharges(db, ledger.id, waived);
      const reckoned = postEntries(books.get(ledger.id)!, entries, {
        isOpening: ledger.isNew,
        posted,
      });
      const fault =
        'fault' in reckoned
          ? { file: 'payments.csv', ...reckoned.fault }
          : paidThroughFault(ledger, reckoned.posting);
      if (fault !== null) faults.add({ ...fault, facility });
      else if ('posting' in reckoned && entries.length > 0) postings.push(reckoned.posting);
    }
    await onReckoned(postings, new Map([...rows.values()].flat().map(({ id, on }) => [id, on])));
  }
}

function paidThroughFault(
  { isNew, line, paidThrough }: ImportedLedger,
  posting: Posting,
): Omit<Fault, 'facility'> | null {
  if (!isNew || paidThrough === posting.paidThrough) return null;
  const says = `is ${paidThrough ?? 'empty'}, but by the charges and payments rent is paid through ${posting.paidThrough}`;
  return { file: 'ledgers.csv', line, column: 'paid_through', says };
}

/**
 * Ledgers that are new or have new entries, where all of it could be read. In one query: a page of
 * them costs as much as all.
 */
async function ledgersToReckon(db: Database, facility: string): Promise<ImportedLedger[]> {
  const { rows } = await sql<ImportedLedger>`
    SELECT k.row_id AS id, k.id AS key, l.line, coalesce(l.is_new, false) AS "isNew", l.paid_through AS "paidThrough"
    FROM known_ids k LEFT JOIN staged_ledgers l ON l.row_id = k.row_id AND l.facility = k.facility
    WHERE k.kind = 'ledger' AND k.facility = ${facility} AND l.is_sound IS NOT FALSE
      AND (l.is_new OR ${hasEntries})
      AND NOT EXISTS (
        SELECT FROM staged_charges c WHERE c.facility = k.facility AND c.ledger_id = k.id AND NOT c.is_sound)
      AND NOT EXISTS (
        SELECT FROM staged_payments p WHERE p.facility = k.facility AND p.ledger_id = k.id
          AND (NOT p.is_sound OR p.taken_back > p.amount OR p.taken_back_on < p.paid_on))
    ORDER BY k.id`.execute(db);
  return rows;
}

/** Whether the files have new entries of a ledger `k` of `known_ids`. */
export const hasEntries = sql<boolean>`(
  EXISTS (SELECT FROM staged_charges c WHERE c.facility = k.facility AND c.ledger_id = k.id AND c.is_new)
  OR EXISTS (SELECT FROM staged_payments p WHERE p.facility = k.facility AND p.ledger_id = k.id AND p.is_new))`;

async function rowsOf(
  db: Database,
  facility: string,
  ledgers: ImportedLedger[],
): Promise<Map<string, EntryRow[]>> {
  const { rows } = await sql<EntryRow>`
    SELECT e.ledger_id AS key, e.id, e.kind, e.cents, e.posted_on AS on, e.line, e.description, e.category,
      e.due_on AS "dueOn", e.period_end AS "periodEnd", e.price AS "priceCents", e.discount AS "discountCents",
      e.tax1 AS "tax1Cents", e.tax2 AS "tax2Cents", e.of_id AS "ofId", e.receipt_number AS "receiptNumber", e.reason,
      e.posting_order AS "order"
    FROM ${newEntries(facility)} WHERE e.ledger_id = ANY(${ledgers.map(({ key }) => key)}::text[])
    ORDER BY e.posted_on, e.rank, e.line`.execute(db);
  return Map.groupBy(rows, ({ key }) => key);
}

function asEntry(row: EntryRow): ImportedEntry {
  switch (row.kind) {
    case 'charge':
      return { ...row, lateFor: row.ofId };
    case 'payment':
      return { ...row, intentId: row.ofId };
    case 'credit':
      return row;
    case 'waiver':
      return { ...row, chargeId: row.ofId };
    case 'reversal':
      return { ...row, paymentId: row.ofId };
  }
}

function waivedIds(entries: ImportedEntry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'waiver' ? [entry.chargeId] : []));
}

/** Empty ones of new ledgers, and those of the others as they are. */
async function booksOf(
  db: Database,
  ledgers: ImportedLedger[],
  paymentOrder: PaymentOrder,
  rows: Map<string, EntryRow[]>,
): Promise<Map<string, Books>> {
  const known = ledgers.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const books = new Map<string, Books>();
  if (known.length > 0) for (const one of await readBooks(db, known)) books.set(one.ledgerId, one);
  for (const { id, key, isNew, paidThrough } of ledgers) {
    if (!isNew) continue;
    const hasRent =
      rows.get(key)?.some((row) => row.kind === 'charge' && row.category === 'rent') ?? false;
    const billedThrough = hasRent ? '' : (paidThrough ?? '');
    const none = { version: 0, balanceCents: 0, charges: [], credits: [] };
    books.set(id, { ledgerId: id, billedThrough, paymentOrder, ...none });
  }
  return books;
}

/**
 * Locks the ledgers of the facility that the files name or post to until the transaction ends, in
 * id order: what is computed from them and checked against them afterwards holds. Answers how many
 * there are.
 */
export async function lockLedgers(db: Database, facility: string): Promise<number> {
  const { rows } = await sql`
    SELECT FROM ledgers WHERE id IN (
      SELECT row_id FROM staged_ledgers WHERE facility = ${facility} AND NOT is_new
      UNION SELECT k.row_id FROM known_ids k WHERE k.kind = 'ledger' AND k.facility = ${facility} AND ${hasEntries})
    ORDER BY id FOR NO KEY UPDATE`.execute(db);
  return rows.length;
}

/**
 * Posts the new entries of the facility to their ledgers, which `lockLedgers` has locked, and
 * writes what belongs to them. Sends no mail and asks no gateway: the payments were taken
 * elsewhere.
 */
export async function writeEntries(
  place: Place & { paymentOrder: PaymentOrder },
  faults: Faults,
  isDryRun: boolean,
): Promise<{ charges: Counts; payments: Counts }> {
  const { db, facility, facilityId, now } = place;
  await numberReceipts(place, isDryRun);
  const noon = (day: string) => atNoon(day, now);
  await writeIntents(place, noon);
  await sql`
    INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
    SELECT l.row_id, s.due_on, s.period_end, s.price, ${noon('s.due_on')}
    FROM staged_charges s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN facilities f ON f.id = ${facilityId}
    WHERE s.facility = ${facility} AND s.is_new AND s.category = 'rent'`.execute(db);
  const posted: string[] = [];
  await reckonEntries(db, place, faults, async (postings, days) => {
    if (postings.length === 0) return;
    await postLocked(db, { instant: now, dayOf: (_, changeId) => days.get(changeId)! }, postings);
    posted.push(...postings.map(({ ledgerId }) => ledgerId));
    place.onPosted(posted.length);
  });
  await writeRateSince(
    place.db,
    sql`l.unit_id IN (SELECT id FROM units WHERE facility_id = ${place.facilityId})`,
  );
  await checkBooksOf(place, posted, faults);
  const kept = await keepIds(place);
  return {
    charges: { made: kept.charge, changed: 0 },
    payments: { made: kept.payment, changed: 0 },
  };
}

/**
 * Every ledger that was posted to has sound books, or the facility is not taken over. Faults on
 * which no balance depends are left to the nightly check: an import may be what corrects them.
 */
async function checkBooksOf(
  { db, facility, now }: Place,
  ledgerIds: string[],
  faults: Faults,
): Promise<void> {
  for (let from = 0; from < ledgerIds.length; from += CHECKED_AT_ONCE) {
    const broken = await findBookFaults(db, ledgerIds.slice(from, from + CHECKED_AT_ONCE), now);
    for (const { ledgerId, invariant, sentence, isOfReports } of broken) {
      if (isOfReports) continue;
      const says = `would break the books of ${ledgerId} (${invariant}): ${sentence.replace(/\.$/, '')}`;
      faults.add({ file: 'ledgers.csv', line: null, column: null, facility, says });
    }
  }
}

/** New ones for those that have none. A dry run takes none out of the sequence. */
async function numberReceipts({ db, facility }: Place, isDryRun: boolean): Promise<void> {
  await sql`
    UPDATE staged_payments SET receipt_number = ${isDryRun ? sql`row_id::text` : sql`nextval('receipt_numbers')::text`}
    WHERE facility = ${facility} AND is_new AND receipt_number IS NULL AND kind IS DISTINCT FROM 'credit'`.execute(
    db,
  );
}

/** An attempt for each payment, which is over and of which the tenant was notified. */
async function writeIntents(
  { db, facility, facilityId }: Place,
  noon: (day: string) => RawBuilder<unknown>,
): Promise<void> {
  const from = sql`
    FROM staged_payments s
    JOIN known_ids l ON l.kind = 'ledger' AND l.facility = s.facility AND l.id = s.ledger_id
    JOIN facilities f ON f.id = ${facilityId}
    WHERE s.facility = ${facility} AND s.is_new AND s.kind IS DISTINCT FROM 'credit'`;
  const at = noon('s.paid_on');
  const state = sql`CASE WHEN s.taken_back_reason = 'return' THEN 'returned' WHEN s.method = 'ach' THEN 'settled'
    ELSE 'succeeded' END`;
  await sql`
    INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
      receipt_number, created_at, updated_at, told_at, initiator)
    SELECT s.intent_id, (SELECT tenant_id FROM ledgers WHERE id = l.row_id), coalesce(s.method, 'creditCard'),
      coalesce(s.description, 'Payment'), s.amount, ${state}, sha256(convert_to('import|' || s.row_id, 'UTF8')), 1,
      s.receipt_number, ${at}, ${at}, ${at}, 'import' ${from}`.execute(db);
  await sql`
    INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
    SELECT s.intent_id, l.row_id, s.amount, ${state} ${from}`.execute(db);
}

/** Answers how many there are of each. */
async function keepIds({
  db,
  facility,
  facilityId,
}: Place): Promise<{ charge: number; payment: number }> {
  const keep = async (kind: 'charge' | 'payment') => {
    const { numAffectedRows } = await sql`
      INSERT INTO external_ids (facility_id, kind, external_id, row_id)
      SELECT ${facilityId}::uuid, ${kind}::text, ${sql.ref(`${kind}_id`)}, row_id FROM ${sql.table(`staged_${kind}s`)}
      WHERE facility = ${facility} AND is_new`.execute(db);
    return Number(numAffectedRows ?? 0);
  };
  return { charge: await keep('charge'), payment: await keep('payment') };
}
