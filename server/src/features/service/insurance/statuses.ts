import { calendarDateIn } from '@gatehouse/contract/dates';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { Context } from '#context/context.ts';
import { findInsurance } from './insurance.ts';
import { insuranceView } from './view.ts';

/**
 * The insurance of the current rentals of the tenant records, by unit name; with `ledgerIds`, of
 * these only and in their order. `timeZone` is the facility's.
 */
export async function insuranceStatuses(
  { db, clock }: Context,
  timeZone: string,
  tenantIds: string[],
  ledgerIds?: string[],
): Promise<InsuranceStatus[]> {
  const today = calendarDateIn(timeZone, clock.now());
  return (await findInsurance(db, tenantIds, today, ledgerIds)).map(insuranceView);
}
