import { calendarDateIn } from '@gatehouse/contract/dates';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { MOST_VEHICLES, type StoredVehicle } from '@gatehouse/contract/vehicles';
import { t } from '@gatehouse/language/t';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentRental } from '#db/current-rental.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import type { Caller } from '#http/guard.ts';
import { countChange, tidy, writeContents } from '#features/rentals/unit-contents/unit-contents.ts';

/** Whose vehicles and papers: those of a tenant record, on the facility's `today`. */
export type Owner = { tenantId: string; userId: string; facilityId: string; timeZone: string };

export function ownerOf(
  { userId, facilityId, timeZone }: Caller,
  { tenantId }: { tenantId: string },
): Owner {
  return { tenantId: tenantId.toLowerCase(), userId, facilityId, timeZone };
}

/** Today in the facility's calendar. */
export function todayOf({ clock }: Context, { timeZone }: Owner): string {
  return calendarDateIn(timeZone, clock.now());
}

/**
 * Refuses with 404 a ledger that is no current rental of the record; in a transaction it is locked
 * until the end.
 */
export async function lockRental(
  db: Database,
  tenantId: string,
  { ledgerId, today }: { ledgerId: string; today: string },
): Promise<void> {
  const ledger = await db
    .selectFrom('ledgers')
    .select('id')
    .where('id', '=', ledgerId)
    .where('tenant_id', '=', tenantId)
    .where(isCurrentRental(today))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (ledger === undefined) throw notFound();
}

/**
 * The contents of a rental, empty where none were entered, the id of its first vehicle, null where
 * that has no details, and its further ones in the order in which they were added.
 */
export async function findVehicles(db: Database, ledgerId: string) {
  const { rows } = await sql<{ contents: string | null; firstId: string | null }>`
    SELECT c.contents, v.id AS "firstId" FROM ledgers l
    LEFT JOIN unit_contents c ON c.ledger_id = l.id LEFT JOIN vehicles v ON v.ledger_id = l.id
    WHERE l.id = ${ledgerId}`.execute(db);
  const further = await db
    .selectFrom('further_vehicles')
    .select(['id', 'contents', 'license_plate as licensePlate', 'description'])
    .where('ledger_id', '=', ledgerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return { ofFirst: rows[0]?.contents ?? '', firstId: rows[0]?.firstId ?? null, further };
}

/**
 * Which vehicle of the rental an id is, as `vehicle_papers.vehicle_id` has it: null for the first,
 * which is also meant where no id is given. Refuses with 404 one that the rental does not have.
 */
export async function furtherIdOf(
  db: Database,
  ledgerId: string,
  vehicleId: string | undefined,
): Promise<string | null> {
  if (vehicleId === undefined) return null;
  const vehicle = await db
    .selectFrom('rental_vehicles')
    .select('further_id')
    .where('ledger_id', '=', ledgerId)
    .where('id', '=', vehicleId)
    .executeTakeFirst();
  if (vehicle === undefined) throw notFound();
  return vehicle.further_id;
}

/** Joins to papers `p` the vehicle `v` that each is of; the first may have no details. */
export const joinVehicle: RawBuilder<unknown> = sql`
  LEFT JOIN rental_vehicles v ON v.ledger_id = p.ledger_id AND v.further_id IS NOT DISTINCT FROM p.vehicle_id`;

type Details = Omit<StoredVehicle, 'contents'>;

/**
 * Sets the details of the first vehicle of a current rental, and answers them. Refuses with 404 a
 * ledger that is none of the records'.
 */
export async function writeFirst(
  db: Database,
  { ledgerId, tenantIds, today }: { ledgerId: string; tenantIds: string[]; today: string },
  { licensePlate, description }: Details,
): Promise<Details> {
  const { rows } = await sql<Details>`
    INSERT INTO vehicles (ledger_id, license_plate, description)
    SELECT id, ${licensePlate}, ${description} FROM ledgers
    WHERE id = ${ledgerId} AND tenant_id = ANY(${tenantIds}::uuid[])
      AND is_current_on(moved_out_on, ${today}::date)
    ON CONFLICT (ledger_id) DO UPDATE SET license_plate = excluded.license_plate, description = excluded.description
    RETURNING license_plate AS "licensePlate", description`.execute(db);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/**
 * Adds a vehicle to a current rental, as the first one where its contents are none yet, or changes
 * the further one of `vehicleId`. One whose contents another has is that one: a repeat adds
 * nothing. Refuses with 404 a rental that is not the record's and a vehicle that is none of its
 * further ones, with 422 a seventh and a change that makes two of one, with 429 too many changes.
 */
export async function saveVehicle(
  ctx: Context,
  owner: Owner,
  {
    ledgerId,
    vehicleId,
    ...given
  }: StoredVehicle & { ledgerId: string; vehicleId?: string | undefined },
): Promise<void> {
  const contents = tidy(given.contents);
  const today = todayOf(ctx, owner);
  await ctx.db.transaction().execute(async (trx) => {
    await lockRental(trx, owner.tenantId, { ledgerId, today });
    const { ofFirst, further } = await findVehicles(trx, ledgerId);
    if (vehicleId !== undefined && further.every(({ id }) => id !== vehicleId)) throw notFound();
    const alike = further.find((one) => one.contents === contents);
    if (
      alike === undefined &&
      vehicleId === undefined &&
      (ofFirst === contents || isNone(ofFirst))
    ) {
      const rental = { ledgerId, tenantIds: [owner.tenantId], today };
      await writeContents(ctx, trx, { ...rental, userId: owner.userId }, contents);
      await writeFirst(trx, rental, given);
      return;
    }
    const id = vehicleId ?? alike?.id;
    if (ofFirst === contents || (alike !== undefined && alike.id !== id))
      throw new Refusal(422, t('This vehicle or boat is already entered for the unit.'));
    await countChange(ctx, trx, ledgerId);
    const row = { contents, license_plate: given.licensePlate, description: given.description };
    if (id !== undefined) {
      await trx.updateTable('further_vehicles').set(row).where('id', '=', id).execute();
      return;
    }
    if (further.length >= MOST_VEHICLES - 1)
      throw new Refusal(
        422,
        t('A unit can have {most} vehicles and boats here. Please remove one first.', {
          most: MOST_VEHICLES,
        }),
      );
    await trx
      .insertInto('further_vehicles')
      .values({ ledger_id: ledgerId, ...row, created_at: ctx.clock.now() })
      .execute();
  });
}

function isNone(contents: string): boolean {
  return (parseContents(contents)?.type ?? 'none') === 'none';
}
