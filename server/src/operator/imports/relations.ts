import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import {
  autopayOfOthers,
  customerOfOthers,
  customersOfOne,
  methodOfOthers,
  planBeside,
} from './account-checks.ts';
import type { Check } from './check.ts';
import type { Faults } from './faults.ts';
import { importFiles } from './files.ts';
import { renamed, sharedAddress } from './joined.ts';
import {
  balance,
  balanceHere,
  billedAlready,
  chargeChanged,
  overlap,
  paymentChanged,
  receiptTaken,
  receiptTwice,
} from './money-checks.ts';
import {
  begunAgain,
  leaseOfOthers,
  nextBilling,
  rateRise,
  rateWithoutNotice,
  rentedTwice,
  settledOtherwise,
  unitTaken,
} from './rental-checks.ts';
import { checksWithinRows, generalChecks, twice } from './row-checks.ts';
import type { Place } from './rows.ts';
import type { Staging } from './staging.ts';
import { gaps, typingChecks } from './typing-checks.ts';

/** The instant of the import, and the day from which on rentals are treated as late. */
export type When = Pick<Place, 'now' | 'lateFrom'>;

/** The most faults of one check that are listed for a facility; the rest is counted. */
const MOST_OF_A_KIND = 20;

/**
 * What is wrong between the rows, and between them and the database; each with the line that can be
 * put right.
 */
export async function checkRelations(
  db: Database,
  staging: Staging,
  when: When,
  faults: Faults,
): Promise<void> {
  for (const check of [...generalChecks(), ...ownChecks(when), ...changingChecks(staging, when)])
    if (staging.columns.has(check.file)) await run(db, check, faults);
}

/**
 * The same of what others change too, once the facility's ledgers are locked, and what its books
 * must come to.
 */
export async function checkLocked(
  { db, staging, facility, ...when }: Place,
  faults: Faults,
): Promise<void> {
  for (const check of [...changingChecks(staging, when), balanceHere])
    if (staging.columns.has(check.file)) await run(db, check, faults, facility);
}

async function run(
  db: Database,
  { file, column, query }: Check,
  faults: Faults,
  of?: string,
): Promise<void> {
  const { rows } = await sql<{
    facility: string;
    line: number;
    says: string;
    place: number;
    count: number;
  }>`
    SELECT * FROM (
      SELECT facility, line, says, (row_number() OVER (PARTITION BY facility ORDER BY line))::int AS place,
        (count(*) OVER (PARTITION BY facility))::int AS count
      FROM (${query}) found WHERE facility = ${of ?? sql`facility`}
    ) numbered WHERE place <= ${MOST_OF_A_KIND} ORDER BY facility, place`.execute(db);
  const { name } = importFiles[file];
  for (const { facility, line, says, place, count } of rows) {
    faults.add({ file: name, line, column, facility, says });
    if (place === MOST_OF_A_KIND) faults.addUnlisted(name, count - MOST_OF_A_KIND);
  }
}

/** What billing, staff and tenants change while an import runs. */
function changingChecks({ columns }: Staging, when: When): Check[] {
  const checks = [billedAlready, gaps, rateRise, rateWithoutNotice(when)];
  return columns.get('ledgers')?.has('moved_out_on')
    ? [...checks, begunAgain, settledOtherwise]
    : checks;
}

/** What holds within a file, or between it and what the database has already. */
function ownChecks({ now }: When): Check[] {
  return [
    ...checksWithinRows(),
    ...typingChecks(now),
    rentedTwice,
    twice(
      'charges',
      'late_for',
      sql`late_for IS NOT NULL`,
      sql`late_for`,
      'has its late fee in line ',
    ),
    twice(
      'insurance',
      'ledger_id',
      sql`kind = 'plan' AND ends_on IS NULL`,
      sql`ledger_id`,
      'has a plan without an end in line ',
    ),
    twice(
      'insurance',
      'ledger_id',
      sql`kind = 'private'`,
      sql`ledger_id`,
      'has a private policy in line ',
    ),
    sharedAddress,
    renamed,
    receiptTwice,
    receiptTaken,
    unitTaken,
    leaseOfOthers,
    nextBilling,
    overlap,
    chargeChanged,
    paymentChanged,
    methodOfOthers,
    customersOfOne,
    customerOfOthers,
    planBeside,
    autopayOfOthers,
    balance,
  ];
}
