import { sql, type RawBuilder } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * Refuses with 409 to rent to a tenant who died, or whom staff marked, on this record or on another
 * one of the operator with the same name and address.
 */
export async function demandRentable(trx: DatabaseTransaction, tenantId: string): Promise<void> {
  const dead = await trx
    .selectFrom('estates as e')
    .innerJoin('tenants as t', 't.id', 'e.tenant_id')
    .select('t.name')
    .where('t.id', '=', tenantId)
    .executeTakeFirst();
  if (dead) throw new Refusal(409, `The death of ${dead.name.slice(0, 60)} is recorded.`);
  return demandNone(
    trx,
    sql`JOIN tenants t ON t.id = ${tenantId} JOIN facilities f ON f.id = t.facility_id
      WHERE (other.id = t.id OR (lower(other.email) = lower(t.email) AND there.corporation_id = f.corporation_id
        AND other.first_key = t.first_key AND other.last_key = t.last_key))`,
  );
}

/** The same for a guest by the address, without a name: it may be of another facility. */
export function demandRentableGuest(
  trx: DatabaseTransaction,
  { email, facilityId }: { email: string; facilityId: string },
): Promise<void> {
  return demandNone(
    trx,
    sql`JOIN facilities f ON f.id = ${facilityId}
      WHERE lower(other.email) = lower(${email}) AND there.corporation_id = f.corporation_id`,
    'whoever has this address',
  );
}

async function demandNone(
  trx: DatabaseTransaction,
  which: RawBuilder<unknown>,
  who?: string,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT other.name FROM tenants other JOIN facilities there ON there.id = other.facility_id
    ${which} AND other.do_not_rent IS NOT NULL LIMIT 1`.execute(trx);
  const [refused] = rows;
  if (refused !== undefined)
    throw new Refusal(
      409,
      `Nothing is rented to ${who ?? refused.name.slice(0, 60)} until a manager allows it again.`,
    );
}
