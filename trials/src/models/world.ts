import { pino } from 'pino';
import { sql, type Insertable } from 'kysely';
import { createLocalEsign } from '@gatehouse/server/src/adapters/esign/local-esign.ts';
import { createDiskFiles } from '@gatehouse/server/src/adapters/files/disk.ts';
import { mailbox } from '@gatehouse/server/src/adapters/mail/mailbox.ts';
import { sandboxTexts } from '@gatehouse/server/src/adapters/text-messages/sandbox-texts.ts';
import type { Clock } from '@gatehouse/server/src/adapters/clock.ts';
import type { PaymentGateway } from '@gatehouse/server/src/adapters/payments/gateway.ts';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import type { Tables } from '@gatehouse/server/src/db/tables.ts';
import { autopayListener } from '@gatehouse/server/src/features/money/autopay/payment-listener.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
} from '@gatehouse/server/src/seeds/builders.ts';
import { createMetrics } from '@gatehouse/server/src/telemetry/metrics.ts';
import { calm } from '@gatehouse/server/src/telemetry/pressure.ts';
import { openVault } from '@gatehouse/server/src/crypto/vault.ts';
import { addRows } from '@gatehouse/server/test/rows.ts';

const KEY = '07'.repeat(32);
export const config = readConfig({ SECRET_KEY: KEY, DATA_KEYS: KEY, DATA_DIR: '/nonexistent' });
export const vault = openVault(config.dataKeys);
/** One for all worlds; they are not read. */
const metrics = createMetrics();

/** A clock that is set by hand. */
export type MovableClock = Clock & { at: number };

export function clockAt(instant: string): MovableClock {
  const clock = { at: Date.parse(instant), now: () => new Date(clock.at) };
  return clock;
}

/** The server's context on a database of the models: nothing of it leaves this process. */
export function contextOn(
  parts: { db: Database; clock: Clock; gateway: PaymentGateway } & Partial<Context>,
): Context {
  return {
    config,
    vault,
    gatewayTimeoutMs: 20_000,
    importLeases: () => Promise.reject(new Error('no world imports')),
    paymentListeners: [autopayListener],
    mail: mailbox,
    texts: sandboxTexts,
    files: createDiskFiles('/nonexistent'),
    esign: createLocalEsign(parts.db, parts.clock),
    gate: null,
    enqueue: () => Promise.resolve(),
    failpoint: () => {},
    stopping: new AbortController().signal,
    pressure: () => calm,
    metrics,
    log: pino({ level: 'silent' }),
    ...parts,
  };
}

export type Rental = { ledgerId: string; unitId: string; unitName: string };

/** One sign-in with its tenant record, its rentals, and one saved card and account. */
export type Renter = {
  userId: string;
  tenantId: string;
  email: string;
  rentals: Rental[];
  cardId: string;
  accountId: string;
};

export type World = {
  facilityId: string;
  timeZone: string;
  discount: { id: string; basisPoints: number };
  renters: Renter[];
  /** Units without a rental. */
  vacant: { unitId: string; unitName: string }[];
};

/**
 * A facility with renters who owe nothing yet and have been billed through the day before
 * `movedInOn`.
 */
export async function makeWorld(
  owner: Database,
  {
    movedInOn,
    renters,
    rentals,
    vacant = 0,
  }: { movedInOn: string; renters: number; rentals: number; vacant?: number },
): Promise<World> {
  const timeZone = 'America/Chicago';
  const corporationId = await makeCorporation(owner);
  const facilityId = await makeFacilityOfWorld(owner, corporationId, {
    location_code: LOCATION_CODE,
    time_zone: timeZone,
  });
  const discount = await owner
    .insertInto('discount_plans')
    .values({ facility_id: facilityId, name: 'Military', basis_points: DISCOUNT })
    .returning('id')
    .executeTakeFirstOrThrow();
  const world: World = {
    facilityId,
    timeZone,
    discount: { ...discount, basisPoints: DISCOUNT },
    renters: [],
    vacant: [],
  };
  for (let place = 1; place <= renters; place++)
    world.renters.push(
      await makeRenter(owner, { corporationId, facilityId, movedInOn, rentals, place }),
    );
  for (let place = 1; place <= vacant; place++) {
    const unitName = `V${place}`;
    const { id: unitId } = await owner
      .insertInto('units')
      .values({
        facility_id: facilityId,
        name: unitName,
        width_feet: 12,
        length_feet: 40,
        type_name: 'RV',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    world.vacant.push({ unitId, unitName });
  }
  return world;
}

const DISCOUNT = 1250;

/** The facility's code. */
export const LOCATION_CODE = 'TXDFW03';

/** How many days before it takes effect a change of the rate is notified. */
export const NOTICE_DAYS = 30;

export async function makeFacilityOfWorld(
  owner: Database,
  corporationId: string,
  row: Partial<Insertable<Tables['facilities']>>,
): Promise<string> {
  await sql`INSERT INTO gate_schedules (id, name) VALUES (1, 'Day') ON CONFLICT DO NOTHING`.execute(
    owner,
  );
  return makeFacility(owner, { corporation_id: corporationId, least_payment_cents: 1, ...row });
}

/** A tenant record with its sign-in, rentals, card and account. */
export async function makeRenter(
  owner: Database,
  at: {
    corporationId: string;
    facilityId: string;
    movedInOn: string;
    rentals: number;
    place: number;
  },
): Promise<Renter> {
  const email = `renter${at.place}@example.com`;
  const tenantId = await makeTenant(owner, { facility_id: at.facilityId, email });
  const { id: userId } = await owner
    .insertInto('users')
    .values({ corporation_id: at.corporationId, email, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addRows(owner, 'user_tenants', { user_id: userId, tenant_id: tenantId });
  const rentals: Rental[] = [];
  for (let unit = 1; unit <= at.rentals; unit++)
    rentals.push({
      unitName: `R${at.place}U${unit}`,
      ...(await makeLedger(owner, vault, {
        tenant_id: tenantId,
        moved_in_on: at.movedInOn,
        unit: { facility_id: at.facilityId, name: `R${at.place}U${unit}` },
      })),
    });
  const cardId = await makePaymentMethod(owner, vault, { tenant_id: tenantId });
  const accountId = await makePaymentMethod(owner, vault, { tenant_id: tenantId, type: 'ach' });
  return { userId, tenantId, email, rentals, cardId, accountId };
}
