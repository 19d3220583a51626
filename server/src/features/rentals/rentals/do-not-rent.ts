import { sql, type RawBuilder } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * Refuses with 409 to rent to a tenant who died or whom staff marked, on this record or on another
 * one of the operator with the same name and address.
 */
export async function demandRentable(trx: DatabaseTransaction, tenantId: string): Promise<void> {
  const which = sql`JOIN tenants t ON t.id = ${tenantId} JOIN facilities f ON f.id = t.facility_id
    WHERE (other.id = t.id OR (lower(other.email) = lower(t.email) AND there.corporation_id = f.corporation_id
      AND other.first_key = t.first_key AND other.last_key = t.last_key))`;
  const isDead = sql`EXISTS (SELECT FROM estates e WHERE e.tenant_id = other.id)`;
  const dead = await findName(trx, which, isDead);
  if (dead !== undefined) throw new Refusal(409, `The death of ${dead} is recorded.`);
  const refused = await findName(trx, which, isMarked);
  if (refused !== undefined) throw notRented(refused);
}

/** For a guest by the address, without a name: it may be of another facility. */
export async function demandRentableGuest(
  trx: DatabaseTransaction,
  { email, facilityId }: { email: string; facilityId: string },
): Promise<void> {
  const which = sql`JOIN facilities f ON f.id = ${facilityId}
    WHERE lower(other.email) = lower(${email}) AND there.corporation_id = f.corporation_id`;
  if ((await findName(trx, which, isMarked)) !== undefined)
    throw notRented('whoever has this address');
}

const isMarked = sql`other.do_not_rent IS NOT NULL`;

function notRented(who: string): Refusal {
  return new Refusal(409, `Nothing is rented to ${who} until a manager allows it again.`);
}

/** The name of one of the records `which` that is so. */
async function findName(
  trx: DatabaseTransaction,
  which: RawBuilder<unknown>,
  isSo: RawBuilder<unknown>,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT other.name FROM tenants other JOIN facilities there ON there.id = other.facility_id
    ${which} AND ${isSo} LIMIT 1`.execute(trx);
  return rows[0]?.name.slice(0, 60);
}
