import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database } from '#db/database.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { findBookFaults, type BookFault } from './find-book-faults.ts';

/** Ledgers of a statement: few enough for its time limit where each has many years of entries. */
const BATCH = 250;
/** The most breaches of a ledger that its alarm lists. */
const MOST_SENTENCES = 10;

/** How many ledgers were checked, and how many of them have a breach. */
export type BooksChecked = { ledgers: number; broken: number };

/**
 * Checks I1 to I8 of every ledger, also of those that were moved out of. A ledger with a breach
 * gets an alarm that names it, and autopay does not charge it until a person closes the alarm
 * (`has_books_fault`); one whose alarm is open gets no other. A breach on which no balance depends
 * has an alarm of another kind, and autopay continues. Nothing is repaired.
 */
export async function checkAllBooks(ctx: Context): Promise<BooksChecked> {
  const checked = { ledgers: 0, broken: 0 };
  for await (const { ledgers, faults } of walkBooks(ctx.db, ctx.clock.now())) {
    const byLedger = Map.groupBy(faults, ({ ledgerId }) => ledgerId);
    checked.ledgers += ledgers;
    checked.broken += byLedger.size;
    for (const { hasAlarm, ...rental } of await findRentals(ctx.db, [...byLedger.keys()])) {
      const found = byLedger.get(rental.ledgerId)!;
      const ofBooks = found.filter(({ isOfReports }) => !isOfReports);
      const ofReports = found.filter(({ isOfReports }) => isOfReports);
      if (ofBooks.length > 0 && !hasAlarm) await raiseOfBooks(ctx, rental, ofBooks);
      if (ofReports.length > 0) await raiseOfReports(ctx, rental, ofReports);
    }
  }
  return checked;
}

/**
 * The breaches of all ledgers, batch by batch in id order, so that memory does not grow with their
 * number.
 */
export async function* walkBooks(
  db: Database,
  now: Date,
): AsyncGenerator<{ ledgers: number; faults: BookFault[] }> {
  const batches = batchesById(
    (after) => findIds(db, after),
    (id) => id,
  );
  for await (const ids of batches)
    yield { ledgers: ids.length, faults: await findBookFaults(db, ids, now) };
}

async function findIds(db: Database, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ledgers WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

type Rental = { ledgerId: string; unitName: string; facilityId: string; locationCode: string };

/** Where the ledgers are, and whether an alarm about their books is open. */
async function findRentals(
  db: Database,
  ledgerIds: string[],
): Promise<(Rental & { hasAlarm: boolean })[]> {
  if (ledgerIds.length === 0) return [];
  const { rows } = await sql<Rental & { hasAlarm: boolean }>`
    SELECT l.id AS "ledgerId", u.name AS "unitName", f.id AS "facilityId", f.location_code AS "locationCode",
      has_books_fault(l.id) AS "hasAlarm"
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id = ANY(${ledgerIds}::uuid[])
    ORDER BY l.id`.execute(db);
  return rows;
}

async function raiseOfBooks(ctx: Context, rental: Rental, faults: BookFault[]): Promise<void> {
  const { ledgerId, facilityId, unitName, locationCode } = rental;
  const [first] = faults;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'books_fault',
    // With its time: what is found again after the alarm was closed is another one.
    key: `books_fault:${ledgerId}:${ctx.clock.now().toISOString()}`,
    facilityId,
    ledgerId,
    sentence: `The books of unit ${unitName} at ${locationCode} are not sound (${first!.invariant}): ${first!.sentence} Autopay does not charge it until this alarm is closed.`,
    facts: factsOf(rental, faults),
  });
}

async function raiseOfReports(ctx: Context, rental: Rental, faults: BookFault[]): Promise<void> {
  const { ledgerId, facilityId, unitName, locationCode } = rental;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'reports_fault',
    key: `reports_fault:${ledgerId}`,
    facilityId,
    ledgerId,
    sentence: `Unit ${unitName} at ${locationCode} has a fault on which no balance depends: ${faults[0]!.sentence}`,
    facts: factsOf(rental, faults),
  });
}

function factsOf({ ledgerId, unitName }: Rental, faults: BookFault[]): Record<string, unknown> {
  return {
    ledgerId,
    unit: unitName,
    faults: faults
      .slice(0, MOST_SENTENCES)
      .map(({ invariant, sentence }) => `${invariant}: ${sentence}`),
    count: faults.length,
  };
}
