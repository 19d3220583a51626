import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import { issueStatements } from '#features/money/statements/statements.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Vault } from '#crypto/vault.ts';
import {
  giveLicense,
  makeAutopay,
  makeCorporation,
  makeFacility,
  makePaymentMethod,
  makeProtectionPlan,
  makeStaffMember,
  makeTenant,
  makeUser,
  postCharges,
  type Owner,
} from './builders.ts';
import { demoFacilities } from './demo-facilities.ts';
import {
  completeRental,
  describeContents,
  makeDocument,
  makeDocumentToSign,
  makeRental,
  type DemoFacility,
  type World,
} from './demo-rentals.ts';

/** The password of every demo sign-in. */
export const DEMO_PASSWORD = 'anchor-axle-26';

/** The demo sign-ins, as `npm start` prints them. */
export const demoSignIns = [
  {
    email: 'dana@example.com',
    location: 'TXDFW03',
    shows: 'three units and a second record, much to do',
  },
  {
    email: 'lee@example.com',
    location: 'TXDFW03',
    shows: 'one unit, all complete, two years of payments',
  },
  { email: 'maria@example.com', location: 'AZPHX01', shows: 'a tenant of another facility' },
  { email: 'pat@example.com', location: 'TXDFW03', shows: 'a tenant without a phone number' },
  { email: 'sam@example.com', location: 'TXDFW03', shows: 'a former tenant: no current rentals' },
] as const;

/** The demo accounts of staff for the office, with the same password. */
export const demoStaff = [
  {
    email: 'clerk@anchor-axle.example',
    name: 'Ana Flores',
    role: 'clerk',
    locationCodes: ['TXDFW03', 'TXDFW03A'],
  },
  {
    email: 'manager@anchor-axle.example',
    name: 'Marcus Webb',
    role: 'manager',
    locationCodes: ['TXDFW03', 'TXDFW03A'],
  },
  { email: 'owner@anchor-axle.example', name: 'June Park', role: 'owner', locationCodes: [] },
] as const;

/**
 * Makes the demo world, dated and billed up to the facilities' today, in a database that has no
 * corporation yet. Answers whether it made it. Safe when several processes start at once.
 */
export async function seedDemo(
  owner: Owner,
  clock: Clock,
  vault: Vault,
  corporationCode: string,
): Promise<boolean> {
  return owner.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('gatehouse demo'))`.execute(trx);
    const existing = await trx.selectFrom('corporations').select('id').executeTakeFirst();
    if (existing !== undefined) return false;
    const world = await makeOperator(trx, clock, vault, corporationCode);
    await makeDana(world);
    await makeLee(world);
    await makeMaria(world);
    await makeOthers(world);
    await makeStaff(world);
    await makeStatements(trx, clock);
    return true;
  });
}

async function makeStaff({ db, clock, corporationId }: World): Promise<void> {
  const facilities = await db
    .selectFrom('facilities')
    .select(['id', 'location_code'])
    .where('corporation_id', '=', corporationId)
    .execute();
  for (const { email, name, role, locationCodes } of demoStaff) {
    const codes: readonly string[] = locationCodes;
    const own = facilities.filter(({ location_code }) => codes.includes(location_code));
    await makeStaffMember(db, {
      corporationId,
      email,
      name,
      role,
      password: DEMO_PASSWORD,
      createdAt: clock.now(),
      facilityIds: role === 'owner' ? null : own.map(({ id }) => id),
    });
  }
}

/** How many of the last whole months have statements. */
const STATEMENT_MONTHS = 3;

/** The statements of the last months, as the facilities' days would have issued them. */
async function makeStatements(trx: DatabaseTransaction, clock: Clock): Promise<void> {
  const tenants = await trx
    .selectFrom('tenants')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select(['tenants.id', 'facilities.time_zone as timeZone'])
    .execute();
  for (const { id, timeZone } of tenants) {
    const today = calendarDateIn(timeZone, clock.now());
    const thisMonth = Temporal.PlainYearMonth.from(today.slice(0, 7));
    for (let ago = STATEMENT_MONTHS; ago > 0; ago--) {
      const month = thisMonth.subtract({ months: ago }).toString();
      const issued = thisMonth.subtract({ months: ago - 1 }).toPlainDate({ day: 1 });
      const at = new Date(
        issued.toZonedDateTime({ timeZone, plainTime: '04:00' }).epochMilliseconds,
      );
      await issueStatements(trx, { tenantIds: [id], month, at });
    }
  }
}

async function makeOperator(db: Owner, clock: Clock, vault: Vault, code: string): Promise<World> {
  const corporationId = await makeCorporation(db, { code });
  const facilities = new Map<string, DemoFacility>();
  for (const row of demoFacilities) {
    const id = await makeFacility(db, { corporation_id: corporationId, ...row });
    const plans = [
      await makeProtectionPlan(db, { facility_id: id }),
      await makeProtectionPlan(db, {
        facility_id: id,
        description: '$10,000 protection plan',
        coverage_cents: 1_000_000,
        premium_cents: 2200,
      }),
    ];
    const discount = { facility_id: id, name: 'Military 10%', basis_points: 1000 };
    const { id: discountPlanId } = await db
      .insertInto('discount_plans')
      .values(discount)
      .returning('id')
      .executeTakeFirstOrThrow();
    facilities.set(row.location_code, { id, timeZone: row.time_zone, plans, discountPlanId });
  }
  return {
    db,
    clock,
    vault,
    corporationId,
    facility(locationCode) {
      const found = facilities.get(locationCode);
      if (found === undefined) throw new Error(`the demo has no facility ${locationCode}`);
      return found;
    },
  };
}

async function makeDana(world: World): Promise<void> {
  const { db, clock, vault, facility } = world;
  const eagle = facility('TXDFW03');
  const today = calendarDateIn(eagle.timeZone, clock.now());
  const tenantId = await makeTenant(db, { facility_id: eagle.id, joined_at: clock.now() });

  const a101 = await makeRental(world, tenantId, eagle, {
    unit: { name: 'A101', width_feet: 12, length_feet: 40, type_name: 'RV' },
    rent: { priceCents: 19_950 },
    lastDue: addDays(today, -6),
    months: 14,
    isLastPaid: false,
  });
  await postCharges(db, a101, [
    { category: 'fee', description: 'Late fee', dueOn: addDays(today, -1), priceCents: 1500 },
  ]);
  await makeDocument(db, a101, 'Rental Agreement', 'Completed');
  await makeDocumentToSign(world, eagle, a101);

  const b207 = await makeRental(world, tenantId, eagle, {
    unit: { name: 'B207', width_feet: 12, length_feet: 30, type_name: 'Boat' },
    rent: { priceCents: 16_800 },
    plan: { priceCents: 1400 },
    lastDue: addDays(today, -9),
    months: 20,
    isLastPaid: true,
    raise: { toCents: 17_900, inMonths: 2 },
  });
  await completeRental(db, b207, eagle, {
    contents: 'boat:FWC48217C414',
    plate: 'TX - 4471KB',
    vehicle: '2014 Four Winns H200',
  });
  const card = await makePaymentMethod(db, vault, { tenant_id: tenantId });
  await makeAutopay(db, b207, card, clock.now());
  await makeDocument(db, b207, 'Rental Agreement', 'Completed');
  await makeDocument(db, b207, 'Boat Storage Addendum', 'Completed');

  const c014 = await makeRental(world, tenantId, eagle, {
    unit: { name: 'C014', width_feet: 10, length_feet: 30, type_name: 'Household' },
    rent: { priceCents: 42_500 },
    lastDue: addDays(today, -20),
    months: 9,
    isLastPaid: false,
  });
  await postCharges(db, c014, [
    { category: 'fee', description: 'Late fee', dueOn: addDays(today, -10), priceCents: 2500 },
  ]);
  await makeDocument(db, c014, 'Rental Agreement', 'Completed');

  const marineId = await makeReyesMarine(world);
  await signIn(world, 'dana@example.com', [tenantId, marineId]);
}

/** Dana's second record, a firm with a unit of its own. */
async function makeReyesMarine(world: World): Promise<string> {
  const { db, clock, vault, facility } = world;
  const eagle = facility('TXDFW03');
  const today = calendarDateIn(eagle.timeZone, clock.now());
  const marineId = await makeTenant(db, {
    facility_id: eagle.id,
    company: 'Reyes Marine LLC',
    first_name: 'Marco',
    phone: '8175550177',
    joined_at: clock.now(),
  });
  await giveLicense(db, vault, marineId, '28840917');
  const d310 = await makeRental(world, marineId, eagle, {
    unit: { name: 'D310', width_feet: 14, length_feet: 50, type_name: 'Boat' },
    rent: { priceCents: 31_000 },
    lastDue: addDays(today, -3),
    months: 12,
    isLastPaid: true,
    payWith: { type: 'ach', description: 'ACH ending in 6789' },
    scheduleId: 0,
  });
  await describeContents(db, d310, {
    contents: 'boat:MRC77301K819',
    plate: 'TX - 9920MR',
    vehicle: '2019 Mercury work barge',
  });
  await db
    .insertInto('private_policies')
    .values({
      ledger_id: d310,
      company: 'Lone Star Marine Insurance',
      policy_number: 'LSM-204417',
      coverage_cents: 2_500_000,
      starts_on: addDays(today, -90),
      ends_on: addDays(today, 275),
      created_at: clock.now(),
    })
    .execute();
  const account = await makePaymentMethod(db, vault, {
    tenant_id: marineId,
    type: 'ach',
    last_four: '6789',
  });
  await makeAutopay(db, d310, account, clock.now());
  await makeDocument(db, d310, 'Rental Agreement', 'Completed');
  return marineId;
}

async function makeLee(world: World): Promise<void> {
  const { db, clock, vault, facility } = world;
  const eagle = facility('TXDFW03');
  const today = calendarDateIn(eagle.timeZone, clock.now());
  const tenantId = await makeTenant(db, {
    facility_id: eagle.id,
    first_name: 'Lee',
    last_name: 'Okafor',
    email: 'lee@example.com',
    phone: '6825550118',
    street1: '902 Sunset Trail',
    city: 'Saginaw',
    postal_code: '76179',
    alternate_first_name: 'Ada',
    alternate_last_name: 'Okafor',
    alternate_email: 'ada@example.com',
    alternate_phone: '6825550119',
  });
  await giveLicense(db, vault, tenantId, '19384756');
  const ledgerId = await makeRental(world, tenantId, eagle, {
    unit: { name: 'E022', width_feet: 14, length_feet: 45, type_name: 'RV' },
    rent: { priceCents: 24_000, discountCents: 2_400, tax1Cents: 1_350, tax2Cents: 432 },
    plan: { priceCents: 1400 },
    discountPlanId: eagle.discountPlanId,
    lastDue: addDays(today, -12),
    months: 24,
    isLastPaid: true,
    scheduleId: 2,
  });
  await completeRental(db, ledgerId, eagle, {
    contents: 'vehicle:5B4MP67G123353230',
    plate: 'RVL2210',
    vehicle: '2018 Winnebago Vista 31BE',
  });
  await makeAutopay(
    db,
    ledgerId,
    await makePaymentMethod(db, vault, {
      tenant_id: tenantId,
      holder_name: 'Lee Okafor',
      postal_code: '76179',
    }),
    clock.now(),
  );
  await makeDocument(db, ledgerId, 'Rental Agreement', 'Completed');
  await signIn(world, 'lee@example.com', [tenantId]);
}

async function makeMaria(world: World): Promise<void> {
  const { db, clock, facility } = world;
  const phoenix = facility('AZPHX01');
  const today = calendarDateIn(phoenix.timeZone, clock.now());
  const tenantId = await makeTenant(db, {
    facility_id: phoenix.id,
    first_name: 'Maria',
    last_name: 'Castellanos',
    email: 'maria@example.com',
    phone: '6025550163',
    street1: '7715 W Saguaro Way',
    city: 'Peoria',
    region: 'AZ',
    postal_code: '85345',
  });
  const ledgerId = await makeRental(world, tenantId, phoenix, {
    unit: { name: 'P118', width_feet: 12, length_feet: 35, type_name: 'RV' },
    rent: { priceCents: 17_500 },
    lastDue: addDays(today, -2),
    months: 6,
    isLastPaid: false,
  });
  await makeDocument(db, ledgerId, 'Rental Agreement', 'Sent');
  await signIn(world, 'maria@example.com', [tenantId]);
}

async function makeOthers(world: World): Promise<void> {
  const { db, clock, facility } = world;
  const eagle = facility('TXDFW03');
  const today = calendarDateIn(eagle.timeZone, clock.now());
  const newcomer = await makeTenant(db, {
    facility_id: eagle.id,
    first_name: 'Noor',
    last_name: 'Haddad',
    email: 'newcomer@example.com',
    phone: '8175550188',
  });
  await makeRental(world, newcomer, eagle, {
    unit: { name: 'A117', width_feet: 10, length_feet: 25, type_name: 'Boat' },
    rent: { priceCents: 12_900 },
    lastDue: today,
    now: clock.now(),
    months: 1,
    isLastPaid: true,
  });

  const pat = await makeTenant(db, {
    facility_id: eagle.id,
    first_name: 'Pat',
    last_name: 'Lindqvist',
    email: 'pat@example.com',
    phone: null,
  });
  await makeRental(world, pat, eagle, {
    unit: { name: 'B115', width_feet: 10, length_feet: 20, type_name: 'Boat' },
    rent: { priceCents: 9900 },
    lastDue: addDays(today, -5),
    months: 3,
    isLastPaid: true,
  });
  await signIn(world, 'pat@example.com', [pat]);

  const sam = await makeTenant(db, {
    facility_id: eagle.id,
    first_name: 'Sam',
    last_name: 'Whitfield',
    email: 'sam@example.com',
    phone: '8175550121',
  });
  await makeRental(world, sam, eagle, {
    unit: { name: 'C009', width_feet: 10, length_feet: 20, type_name: 'Household' },
    rent: { priceCents: 15_500 },
    lastDue: addDays(today, -70),
    months: 8,
    isLastPaid: true,
    movedOutOn: addDays(today, -40),
  });
  await signIn(world, 'sam@example.com', [sam]);
}

async function signIn(
  { db, corporationId }: World,
  email: string,
  tenantIds: string[],
): Promise<void> {
  await makeUser(db, { corporationId, email, password: DEMO_PASSWORD, tenantIds });
}
