import type { RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { UNKNOWN_MINUTES } from '#features/money/payments/intent.ts';
import { checks, type Found, type Invariant } from './checks.ts';

/**
 * A breach of an invariant on a ledger, in a sentence for the operator; it holds ids and sums, no
 * names. `isOfReports`: of what only reports and lists read, or of days without a bill, so that no
 * balance is wrong.
 */
export type BookFault = {
  ledgerId: string;
  invariant: Invariant;
  sentence: string;
  isOfReports: boolean;
};

/** What is unknown for too long has its alarm within this time after it. */
const SWEEP_MINUTES = 5;

/**
 * Finds the breaches of I1 to I8 on the ledgers, one statement for each check and so each of one
 * instant: what is being posted meanwhile is seen wholly or not at all. `db` may be a transaction,
 * whose own writes are seen then. I2 holds our intents against our entries; the gateway's list is
 * reconciliation's. Ids that are no ledger's are left out. Answers them by ledger, in the order of
 * the invariants; an empty list for sound books.
 */
export async function findBookFaults(
  db: Database,
  ledgerIds: string[],
  now: Date,
): Promise<BookFault[]> {
  const unknownSince = new Date(now.getTime() - (UNKNOWN_MINUTES + SWEEP_MINUTES) * 60_000);
  const faults: BookFault[] = [];
  for (const { invariant, find, say, isOfReports = false } of checks) {
    const { rows } = await (find({ ledgerIds, unknownSince }) as RawBuilder<Found>).execute(db);
    for (const { ledgerId, ...found } of rows)
      faults.push({ ledgerId, invariant, sentence: say(found), isOfReports });
  }
  const place = ({ ledgerId, invariant, sentence }: BookFault) =>
    `${ledgerId} ${invariant} ${sentence}`;
  return faults.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}
