import { addDays } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { readBillable, type BillableLedger } from '#features/money/billing/billable.ts';
import { lastCovered } from '#features/money/billing/ledger-bill.ts';
import {
  findPrepaid,
  prepaidRise,
  prepaidRiseSentence,
  type Prepaid,
} from '#features/money/billing/paid-ahead.ts';
import type { Faults } from './faults.ts';
import type { Place } from './rows.ts';

/** What is paid ahead at a facility before an import, and the rents that are scheduled there. */
export type PaidAhead = { prepaid: Prepaid[]; scheduled: Set<string> };

const keyOf = (id: string, cents: number, on: string) => `${id} ${cents} ${on}`;

export async function readPaidAhead({ db, facilityId }: Pick<Place, 'db' | 'facilityId'>) {
  const { rows } = await sql<{ id: string; cents: number; on: string }>`
    SELECT l.id, l.scheduled_rate_cents AS cents, l.scheduled_rate_on AS on
    FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId} AND l.scheduled_rate_on IS NOT NULL`.execute(db);
  return {
    prepaid: await findPrepaid(db, sql<boolean>`f.id = ${facilityId}`),
    scheduled: new Set(rows.map(({ id, cents, on }) => keyOf(id, cents, on))),
  };
}

/**
 * Months that are paid ahead keep their rent: a rise that the files schedule before their end is a
 * fault, unless what is to the credit pays it too, as one that was agreed before.
 */
export async function checkScheduledRises(
  { db, facility, facilityId }: Place,
  { scheduled }: PaidAhead,
  faults: Faults,
): Promise<void> {
  const prepaid = await findPrepaid(
    db,
    sql<boolean>`f.id = ${facilityId} AND l.scheduled_rate_cents > l.rental_rate_cents`,
  );
  for (const { ledger, creditCents } of prepaid) {
    const { toCents, on } = ledger.scheduled!;
    const last = lastCovered(ledger, creditCents);
    if (last === null || on > last.dueOn) continue;
    if (scheduled.has(keyOf(ledger.ledgerId, toCents, on))) continue;
    if (last.dueOn === lastCovered(ledger, creditCents, withNotice(ledger))?.dueOn) continue;
    const { rows } = await sql<{ line: number }>`
      SELECT line FROM staged_ledgers WHERE row_id = ${ledger.ledgerId}`.execute(db);
    faults.add({
      file: 'ledgers.csv',
      line: rows[0]?.line ?? null,
      column: 'scheduled_rate_on',
      facility,
      says: `is ${on}, and the months through ${last.periodEnd} are paid ahead and keep their rent: give ${addDays(last.periodEnd, 1)} or later`,
    });
  }
}

/** The scheduled rise as if its notice had gone out. */
function withNotice({ scheduled }: BillableLedger): BillableLedger['scheduled'] {
  return { ...scheduled!, noticeId: 'noticed', noticeSentAt: new Date(0) };
}

/** Whose months that are paid ahead the files make dearer: by taxes, the card fee or a premium. */
export async function findPrepaidRises(
  { db }: Pick<Place, 'db'>,
  { prepaid }: PaidAhead,
): Promise<string[]> {
  const ids = prepaid.map(({ ledger }) => ledger.ledgerId);
  const after = new Map((await readBillable(db, ids)).map((one) => [one.ledgerId, one]));
  return prepaid.flatMap((one) => {
    const { facility, plans, isTaxed } = after.get(one.ledger.ledgerId)!;
    const rise = prepaidRise(one, { ...one.ledger, facility, plans, isTaxed });
    return rise === null ? [] : [prepaidRiseSentence(rise)];
  });
}
