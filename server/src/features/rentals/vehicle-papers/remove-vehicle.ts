import { joinContents } from '@gatehouse/contract/unit-contents';
import { paperKinds, type PaperKind } from '@gatehouse/contract/vehicle-papers';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { notFound } from '#errors/refusal.ts';
import { writeContents } from '#features/rentals/unit-contents/unit-contents.ts';
import {
  findVehicles,
  lockRental,
  todayOf,
  type Owner,
} from '#features/rentals/vehicles/vehicles.ts';
import { deletePapers } from './vehicle-papers.ts';

/**
 * Removes a vehicle of a current rental with its papers on file; replaced ones stay for their time.
 * Where it is the first, the one that was added next is the first then, and without one the
 * contents are household items. Refuses with 404 a rental that is not the record's and a vehicle
 * that is not the rental's, with 429 as `setContents`.
 */
export async function removeVehicle(
  ctx: Context,
  owner: Owner,
  { ledgerId, vehicleId }: { ledgerId: string; vehicleId: string },
  request: AuditedRequest,
): Promise<void> {
  const rental = { ledgerId, tenantIds: [owner.tenantId], today: todayOf(ctx, owner) };
  await ctx.db.transaction().execute(async (trx) => {
    await lockRental(trx, owner.tenantId, rental);
    const { firstId, further } = await findVehicles(trx, ledgerId);
    const isFirst = vehicleId === firstId;
    if (!isFirst && further.every(({ id }) => id !== vehicleId)) throw notFound();
    const furtherId = isFirst ? null : vehicleId;
    const kinds = Object.keys(paperKinds) as PaperKind[];
    await deletePapers(ctx, trx, owner, { ledgerId, furtherId, kinds }, request);
    if (!isFirst) return removeFurther(trx, vehicleId);
    const [next] = further;
    const contents = next?.contents ?? joinContents('none', '');
    await writeContents(ctx, trx, { ...rental, userId: owner.userId }, contents);
    if (next === undefined) return removeFirst(trx, ledgerId);
    await makeFirst(trx, ledgerId, next);
  });
}

async function removeFirst(trx: DatabaseTransaction, ledgerId: string): Promise<void> {
  await trx.deleteFrom('vehicles').where('ledger_id', '=', ledgerId).execute();
}

async function removeFurther(trx: DatabaseTransaction, vehicleId: string): Promise<void> {
  await trx.deleteFrom('further_vehicles').where('id', '=', vehicleId).execute();
}

/** It keeps its id, so that the same removal, sent again, finds nothing. */
async function makeFirst(
  trx: DatabaseTransaction,
  ledgerId: string,
  { id, licensePlate, description }: { id: string; licensePlate: string; description: string },
): Promise<void> {
  await trx
    .updateTable('vehicles')
    .set({ id, license_plate: licensePlate, description })
    .where('ledger_id', '=', ledgerId)
    .execute();
  await trx
    .updateTable('vehicle_papers')
    .set({ vehicle_id: null })
    .where('vehicle_id', '=', id)
    .execute();
  await removeFurther(trx, id);
}
