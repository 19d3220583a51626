import { toCents, toDollars } from '@gatehouse/contract/money';
import {
  addUnits,
  changeStreetRate,
  closeUnit,
  openUnit,
  renameUnitType,
  unitNames,
} from '@gatehouse/contract/unit-records';
import { sql } from 'kysely';
import { todayAt } from '#db/today.ts';
import { within } from '#db/within.ts';
import { Refusal } from '#errors/refusal.ts';
import {
  getOneFacility,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';

/**
 * `units.add`. Refuses with 422 a caller who works for several facilities, and with 409 names that
 * are there already, in any case.
 */
export const addUnitsTo = workOf(addUnits, async ({ trx, call }, body) => {
  const facilityId = getOneFacility(call, 'Name the facility of the units.');
  const names = unitNames(body.units);
  const made = await trx
    .insertInto('units')
    .values(
      names.map((name) => ({
        facility_id: facilityId,
        name,
        type_name: body.typeName,
        width_feet: body.widthFeet,
        length_feet: body.lengthFeet,
        street_rate_cents: body.streetRate === undefined ? null : toCents(body.streetRate),
      })),
    )
    // Waits for a concurrent insert of the same names.
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name'])
    .execute();
  const added = new Set(made.map(({ name }) => name));
  const taken = names.filter((name) => !added.has(name));
  if (taken.length > 0) throw new Refusal(409, `Unit ${taken.join(', ')} is there already.`);
  return {
    reply: { unitIds: made.map(({ id }) => id), names },
    about: { facilityId, details: { units: body.units, type: body.typeName } },
  };
});

/**
 * `units.renameType`. Refuses with 422 a caller who works for several facilities and the name that
 * it has, and with 404 a type that no unit there has.
 */
export const renameUnitTypeOf = workOf(renameUnitType, async ({ trx, now, call }, body) => {
  const facilityId = getOneFacility(call, 'Name the facility of the units.');
  const { typeName, newName } = body;
  if (typeName === newName) throw new Refusal(422, 'The type has this name already.');
  const { others } = await trx
    .selectFrom('units')
    .select(({ fn }) => fn.countAll<number>().as('others'))
    .where('facility_id', '=', facilityId)
    .where('type_name', '=', newName)
    .executeTakeFirstOrThrow();
  const renamed = await trx
    .updateTable('units')
    .set({ type_name: newName })
    .where('facility_id', '=', facilityId)
    .where('type_name', '=', typeName)
    .returning('id')
    .execute();
  if (renamed.length === 0) throw new Refusal(404, `There is no unit of the type ${typeName}.`);
  const { rows } = await sql<{ rented: number }>`
      SELECT count(DISTINCT d.unit_id)::int AS rented FROM unit_days d JOIN facilities f ON f.id = ${facilityId}
      WHERE d.unit_id = ANY(${renamed.map(({ id }) => id)}::uuid[]) AND d.days @> ${todayAt(now)}`.execute(
    trx,
  );
  const { rented } = rows[0]!;
  return {
    reply: { typeName, newName, units: renamed.length, rented, others },
    about: { facilityId, details: { type: typeName, to: newName } },
  };
});

/** `units.rate`. Refuses with 404 a unit out of reach, and with 422 the rate that it has. */
export const changeStreetRateOf = workOf(changeStreetRate, async (on, { unitId, streetRate }) => {
  const unit = await lockUnit(on, unitId);
  const cents = toCents(streetRate);
  if (unit.street_rate_cents === cents) throw new Refusal(422, 'The unit has this rate already.');
  await on.trx
    .updateTable('units')
    .set({ street_rate_cents: cents })
    .where('id', '=', unit.id)
    .execute();
  const from = unit.street_rate_cents === null ? null : toDollars(unit.street_rate_cents);
  return {
    reply: { name: unit.name, from, to: streetRate },
    about: { facilityId: unit.facility_id, details: { unit: unit.name } },
  };
});

/** `units.close`. Refuses with 404 a unit out of reach, and with 422 one that is out of service. */
export const closeUnitOf = workOf(closeUnit, (on, { unitId }) => {
  return setService(on, unitId, on.call.why);
});

/** `units.open`. Refuses with 404 a unit out of reach, and with 422 one that is in service. */
export const openUnitOf = workOf(openUnit, (on, { unitId }) => setService(on, unitId, null));

async function setService(on: StaffWork, unitId: string, why: string | null) {
  const unit = await lockUnit(on, unitId);
  if ((unit.out_of_service === null) === (why === null))
    throw new Refusal(
      422,
      `Unit ${unit.name} is ${why === null ? 'in' : 'out of'} service already.`,
    );
  await on.trx
    .updateTable('units')
    .set({ out_of_service: why })
    .where('id', '=', unit.id)
    .execute();
  return {
    reply: { name: unit.name },
    about: { facilityId: unit.facility_id, details: { unit: unit.name } },
  };
}

/** Locks the unit, after a concurrent move-in or transfer into it. */
async function lockUnit({ trx, call }: StaffWork, unitId: string) {
  const unit = await trx
    .selectFrom('units')
    .select(['id', 'name', 'facility_id', 'street_rate_cents', 'out_of_service'])
    .where('id', '=', unitId)
    .where(within(sql`facility_id`, call.facilityIds))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (unit === undefined) throw new Refusal(404, `There is no unit ${unitId}.`);
  return unit;
}

/** Refuses with 409 a unit that is out of service, with the reason. */
export function demandInService(name: string, outOfService: string | null): void {
  if (outOfService !== null)
    throw new Refusal(409, `Unit ${name} is out of service: ${outOfService}`);
}
