import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { post } from '#features/base/ledgers/books.ts';
import { lockBooks, postLocked } from '#features/base/ledgers/postings.ts';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import type { TestApp } from '#test/app.ts';
import { runBilling } from './billing.ts';

export type FacilityRow = Partial<Parameters<typeof makeFacility>[1]>;
type LedgerRow = Partial<Parameters<typeof makeLedger>[2]>;

/** A facility with one tenant. */
export async function makeBilledFacility(api: TestApp, row: FacilityRow) {
  const location_code = randomUUID().slice(0, 8);
  const facilityId = await makeFacility(api.owner, {
    location_code,
    ...row,
  });
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  let units = 0;
  return {
    facilityId,
    tenantId,
    /** A rental that is billed through 13 November 2026 and due on the 14th of each month. */
    async rental(ledger: LedgerRow = {}) {
      const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
        tenant_id: tenantId,
        unit: { facility_id: facilityId, name: `U${(units += 1)}` },
        moved_in_on: '2026-01-14',
        billed_through: '2026-11-13',
        paid_through: '2026-11-13',
        ...ledger,
      });
      return ledgerId;
    },
    bill: (date: string, part: Partial<Parameters<typeof runBilling>[1]> = {}) =>
      runBilling(api.ctx, { facilityId, date, ...part }),
  };
}

/** The charges of a ledger with their entries, in the order of their posting. */
export const readCharges = (api: TestApp, ledgerId: string) =>
  api.owner
    .selectFrom('charges')
    .innerJoin('entries', 'entries.id', 'charges.entry_id')
    .select([
      'category',
      'description',
      'charges.due_on',
      'period_end',
      'price_cents',
      'tax1_cents',
      'posted_on',
    ])
    .where('charges.ledger_id', '=', ledgerId)
    .orderBy('entries.position')
    .execute();

export const readLedger = (api: TestApp, id: string) =>
  api.owner.selectFrom('ledgers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Posts a credit at an instant of a facility in Chicago. */
export async function postCredit(
  api: TestApp,
  now: Date,
  ledgerId: string,
  cents: number,
): Promise<void> {
  const at = { instant: now, dayOf: () => calendarDateIn('America/Chicago', now) };
  await api.ctx.db.transaction().execute(async (trx) => {
    const [books] = await lockBooks(trx, [ledgerId]);
    const { posting } = post(books!, [
      { kind: 'credit', id: randomUUID(), cents, description: 'Goodwill' },
    ]);
    await postLocked(trx, at, [posting]);
  });
}
