import type { Charge } from '@gatehouse/contract/charges';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { toDollars } from '@gatehouse/contract/money';
import { translateStored } from '@gatehouse/language/stored';
import type { LedgerRow, OpenChargeRow } from './ledgers.ts';
import { daysPastDue } from './rules.ts';

/** A rental as the tenant sees it. `today` is the facility's. */
export function ledgerView(row: LedgerRow, today: string): Ledger {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    unitId: row.unit_id,
    unitName: row.unit_name,
    unit: {
      width: row.width_feet,
      length: row.length_feet,
      typeName: translateStored(row.type_name),
    },
    rentalRate: toDollars(row.rental_rate_cents),
    balance: toDollars(row.balance_cents),
    charges: row.charges.map(chargeView),
    paidThrough: row.paid_through,
    scheduledRateChange:
      row.scheduled_rate_cents === null ? null : toDollars(row.scheduled_rate_cents),
    scheduledRateChangeEffectiveDate: row.scheduled_rate_on,
    discountPlanId: row.discount_plan_id,
    daysPastDue: daysPastDue(row.rent_late_since, today),
    timeZoneId: row.gate_schedule_id,
    vehicle:
      row.license_plate === null || row.vehicle_description === null
        ? null
        : { licensePlate: row.license_plate, description: row.vehicle_description },
  };
}

/** A charge with something owed; its balance is what is still owed of it. */
export function chargeView(row: OpenChargeRow): Charge {
  return {
    id: row.id,
    description: row.description,
    balance: toDollars(row.owed_cents),
    discount: toDollars(row.discount_cents),
    tax1: toDollars(row.tax1_cents),
    tax2: toDollars(row.tax2_cents),
  };
}
