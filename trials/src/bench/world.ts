import { addDays } from '@gatehouse/contract/dates';
import { openOwnerDatabase, type Database } from '@gatehouse/server/src/db/database.ts';
import { hashToken, newToken } from '@gatehouse/server/src/http/token.ts';
import type { Vault } from '@gatehouse/server/src/vault.ts';
import {
  makeCorporation,
  makeFacility,
  makeLedger,
  makeTenant,
  makeUser,
  postCharges,
  postPastPayments,
  type NewCharge,
} from '@gatehouse/server/src/seeds/builders.ts';
import pg from 'pg';

/** A signed-in tenant whose rentals the load asks for and pays. */
export type SignedIn = { token: string; tenantId: string; rentals: Rental[] };
export type Rental = { ledgerId: string; unitId: string };

export const CORPORATION = 'ANCHOR';
export const LOCATION = 'TXDFW03';
export const TIME_ZONE = 'America/Chicago';

const SIGNED_IN = 100;
const OTHERS = 200;
const RENTALS = { signedIn: 3, other: 1 };
const PAID_MONTHS = 8;
const FIRST_MONTH = '2026-01-01';

/**
 * A world in which indexes matter: 300 tenants, 500 rentals, eight paid months of each, and a debt so large that no
 * round of one-cent payments settles it. Answers the tenants that are signed in.
 */
export async function makeWorld(url: string, vault: Vault): Promise<SignedIn[]> {
  const owner = openOwnerDatabase(url);
  try {
    // One transaction: thousands of small commits would wait for the disk.
    return await owner.transaction().execute(async (trx) => {
      const corporationId = await makeCorporation(trx, { code: CORPORATION });
      const facilityId = await makeFacility(trx, {
        corporation_id: corporationId,
        location_code: LOCATION,
        time_zone: TIME_ZONE,
      });
      const signedIn: SignedIn[] = [];
      for (let index = 0; index < SIGNED_IN + OTHERS; index += 1) {
        const isSignedIn = index < SIGNED_IN;
        const email = `tenant-${index}@example.com`;
        const tenantId = await makeTenant(trx, { facility_id: facilityId, email });
        const rentals = await makeRentals(
          trx,
          vault,
          facilityId,
          tenantId,
          isSignedIn ? RENTALS.signedIn : RENTALS.other,
        );
        if (!isSignedIn) continue;
        const userId = await makeUser(trx, { corporationId, email, password: newToken(), tenantIds: [tenantId] });
        const token = newToken();
        const session = { token_hash: hashToken(token), user_id: userId, facility_id: facilityId };
        await trx.insertInto('sessions').values(session).execute();
        signedIn.push({ token, tenantId, rentals });
      }
      return signedIn;
    });
  } finally {
    await owner.destroy();
  }
}

async function makeRentals(
  db: Database,
  vault: Vault,
  facilityId: string,
  tenantId: string,
  count: number,
): Promise<Rental[]> {
  const rentals: Rental[] = [];
  for (let index = 0; index < count; index += 1) {
    const unit = { facility_id: facilityId, name: `U${tenantId.slice(0, 6)}-${index}` };
    const rental = await makeLedger(db, vault, { tenant_id: tenantId, moved_in_on: FIRST_MONTH, unit });
    await makeHistory(db, tenantId, rental.ledgerId);
    rentals.push(rental);
  }
  return rentals;
}

async function makeHistory(db: Database, tenantId: string, ledgerId: string): Promise<void> {
  const months = Array.from({ length: PAID_MONTHS + 1 }, (_, index) => rent(addDays(FIRST_MONTH, index * 30), 20_000));
  const debt = { ...months[PAID_MONTHS]!, priceCents: 10_000_000 };
  const paid = months.slice(0, PAID_MONTHS);
  const ids = await postCharges(db, ledgerId, [...paid, debt]);
  await postPastPayments(
    db,
    paid.map(({ dueOn, priceCents }, index) => ({
      tenantId,
      ledgerId,
      paidOn: dueOn,
      charges: [{ id: ids[index]!, cents: priceCents }],
    })),
  );
}

function rent(dueOn: string, priceCents: number): NewCharge {
  return { category: 'rent', description: 'Rent', dueOn, periodEnd: addDays(dueOn, 29), priceCents };
}

/** Statistics for the planner, as a database has them that has served for a day. */
export async function settle(url: string): Promise<void> {
  await asOwner(url, (client) => client.query('VACUUM (ANALYZE)'));
}

/** The version of the PostgreSQL that is measured. */
export async function postgresVersion(url: string): Promise<string> {
  const { rows } = await asOwner(url, (client) => client.query<{ server_version: string }>('SHOW server_version'));
  return rows[0]!.server_version;
}

/** How many payments whose Idempotency-Key starts with `prefix` the gateway captured. */
export async function countCaptures(url: string, prefix: string): Promise<number> {
  const { rows } = await asOwner(url, (client) =>
    client.query<{ captures: number }>(
      `SELECT count(*)::int AS captures FROM payment_intents i JOIN sandbox_gateway.charges g ON g.reference = i.id
       WHERE g.outcome = 'captured' AND g.amount_cents = 1 AND starts_with(i.idempotency_key, $1)`,
      [prefix],
    ),
  );
  return rows[0]!.captures;
}

async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
