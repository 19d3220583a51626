import { sql } from 'kysely';
import { clockOf } from '#adapters/clock.ts';
import { COMMAND } from '#config/command.ts';
import { WORK_ROLE } from '#db/reach.ts';
import { walkBooks } from '#features/money/books-check/check-all-books.ts';
import type { BookFault } from '#features/money/books-check/find-book-faults.ts';
import { hasTables } from './database.ts';
import { fault, ok } from '#features/desk/going-live/finding.ts';
import type { Check } from './patient.ts';

/** The most ledgers that are named. */
const MOST_NAMED = 3;
/** The tables that are append-only (I3). */
const APPEND_ONLY = [
  'entries',
  'charges',
  'payments',
  'credits',
  'reversals',
  'owed_again',
  'allocations',
];

/** Checks I1 to I8 of every ledger, and that the server's role cannot change an entry. */
export const books: Check = {
  subject: 'books',
  async run({ db, config }) {
    if (!(await hasTables(db))) return [];
    let ledgers = 0;
    const broken = new Map<string, BookFault>();
    for await (const batch of walkBooks(db!, clockOf(config).now())) {
      ledgers += batch.ledgers;
      for (const one of batch.faults) if (!broken.has(one.ledgerId)) broken.set(one.ledgerId, one);
    }
    const found = [];
    if (broken.size > 0)
      found.push(
        fault(
          `The books of ${broken.size} of ${ledgers} rentals are not sound: ${await describe(db!, [...broken.values()])}`,
          `See their alarms (${COMMAND} alarms list): autopay does not charge a rental with an alarm books_fault until that is closed.`,
        ),
      );
    const { rows } = await sql<{ name: string }>`
      SELECT DISTINCT name FROM unnest(${APPEND_ONLY}::text[]) AS name, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS verb
      WHERE has_table_privilege(${WORK_ROLE}, name, verb) ORDER BY name`.execute(db!);
    if (rows.length > 0)
      found.push(
        fault(
          `The server’s role may change or delete what is written once: ${rows.map(({ name }) => name).join(', ')}.`,
          `REVOKE UPDATE, DELETE, TRUNCATE on them FROM ${WORK_ROLE}, gatehouse_app.`,
        ),
      );
    return found.length > 0 ? found : [ok(`Those of ${ledgers} rentals are sound.`)];
  },
};

async function describe(db: Parameters<typeof walkBooks>[0], faults: BookFault[]): Promise<string> {
  const named = faults.slice(0, MOST_NAMED);
  const rows = await db
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('facilities', 'facilities.id', 'units.facility_id')
    .select(['ledgers.id', 'units.name', 'facilities.location_code'])
    .where(
      'ledgers.id',
      'in',
      named.map(({ ledgerId }) => ledgerId),
    )
    .execute();
  const places = new Map(
    rows.map(({ id, name, location_code }) => [id, `unit ${name} at ${location_code}`]),
  );
  return named
    .map(
      ({ ledgerId, invariant, sentence }) => `${places.get(ledgerId)} (${invariant}): ${sentence}`,
    )
    .join(' ');
}
