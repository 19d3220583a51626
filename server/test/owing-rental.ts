import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { makeLedger, postCharges } from '#seeds/builders.ts';
import type { TestApp } from './app.ts';
import { makePerson } from './people.ts';
import { addRows } from './rows.ts';

/** A tenant with a sign-in and a rental that owes rent; `unit` is the name of a free one there. */
export type OwingRental = {
  tenantId: string;
  ledgerId: string;
  chargeId: string;
  email: string;
  unit: string;
};

/** Makes one that has owed $200.00 for five days. */
export async function makeOwingRental(api: TestApp, facilityId: string): Promise<OwingRental> {
  const tag = randomUUID().slice(0, 8);
  const email = `reyes-${tag}@example.com`;
  const tenantId = await makePerson(api, facilityId, email);
  const ledgerId = await makeRentalOf(api, facilityId, tenantId, `U${tag}`);
  const today = calendarDateIn('America/Chicago', api.ctx.clock.now());
  const due = { dueOn: addDays(today, -5), periodEnd: addDays(today, 24) };
  const rent = { category: 'rent' as const, description: 'Rent', priceCents: 20_000, ...due };
  const [chargeId] = await postCharges(api.owner, ledgerId, [rent]);
  const unit = { name: `F${tag}`, width_feet: 12, length_feet: 40, type_name: 'RV' };
  await addRows(api.owner, 'units', { facility_id: facilityId, ...unit });
  return { tenantId, ledgerId, chargeId: chargeId!, email, unit: unit.name };
}

/** A rental of a new unit of this name. Answers its ledger's id. */
export async function makeRentalOf(
  { owner, ctx }: TestApp,
  facility_id: string,
  tenant_id: string,
  name: string,
): Promise<string> {
  return (await makeLedger(owner, ctx.vault, { tenant_id, unit: { facility_id, name } })).ledgerId;
}
