import { randomUUID } from 'node:crypto';
import { undoImport } from '@gatehouse/contract/lease-imports';
import { toDollars } from '@gatehouse/contract/money';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { workOf } from '#features/base/staff-actions/staff-actions.ts';
import { refuseUnderWay } from './imports.ts';
import { storedMember } from './ordered-by.ts';
import { followersText, type UndoOrder } from './undo-places.ts';

/**
 * `imports.undo`. Refuses with 404 an import that is not there or made nothing that is left, and
 * with 422 what the contract says. The job looks again, under its locks.
 */
export const undoImportOf = workOf(undoImport, async (on, { importId }) => {
  const { ctx, trx, call, now } = on;
  const { staff, session, origin, facilityIds } = call;
  if (staff === undefined || session === undefined || origin === undefined)
    throw new Refusal(403, 'Imports are undone in the office.');
  // Of many rentals it takes longer than other requests: as long as an answer may.
  await sql`SET LOCAL statement_timeout = '15s'`.execute(trx);
  const places = await findPlaces(trx, importId);
  const isElsewhere = places.some(({ facilityId }) => facilityIds?.includes(facilityId) === false);
  if (places.length === 0 || isElsewhere) throw notFound();
  for (const { facilityId, locationCode } of places) {
    const says = await followersText(trx, importId, facilityId);
    if (says !== null) throw new Refusal(422, `${locationCode}: ${says}`);
  }
  // Last, because others wait for it. The job looks again at what came after the import.
  await refuseUnderWay(trx);
  const id = randomUUID();
  const order: UndoOrder = {
    ...{ name: call.by, why: call.why, request: origin },
    member: storedMember({ staffId: staff.id, role: staff.role, ...session }),
  };
  await trx
    .insertInto('lease_imports')
    .values({
      id,
      staff_id: staff.id,
      by_name: call.by,
      is_preview: false,
      undoes: importId,
      given: ctx.vault.seal('leaseImport', id, JSON.stringify(order)),
      state: 'waiting',
      created_at: now,
    })
    .execute();
  await ctx.enqueue(trx, { name: 'import-leases', data: { importId: id } });
  const facilities = places.map(({ facilityId: _, owedCents, creditCents, ...place }) => ({
    ...place,
    owed: toDollars(owedCents),
    credit: toDollars(creditCents),
  }));
  return { reply: { facilities }, about: { facilityId: null } };
});

type Place = Omit<VerbReply<typeof undoImport>['facilities'][number], 'owed' | 'credit'> & {
  facilityId: string;
  owedCents: number;
  creditCents: number;
};

async function findPlaces(db: Database, importId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    SELECT f.id AS "facilityId", f.location_code AS "locationCode",
      (p.imported_at AT TIME ZONE f.time_zone)::date AS "importedOn", rental.leases,
      (SELECT count(*) FROM tenants t WHERE t.import_id = p.import_id AND t.facility_id = f.id)::int AS tenants,
      (SELECT count(*) FROM units u WHERE u.import_id = p.import_id AND u.facility_id = f.id)::int AS units,
      rental."owedCents", rental."creditCents"
    FROM lease_import_places p JOIN facilities f ON f.id = p.facility_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS leases, coalesce(sum(greatest(l.balance_cents, 0)), 0)::bigint AS "owedCents",
        coalesce(sum(greatest(-l.balance_cents, 0)), 0)::bigint AS "creditCents"
      FROM ledgers l JOIN units u ON u.id = l.unit_id
      WHERE l.import_id = p.import_id AND u.facility_id = f.id
    ) rental
    WHERE p.import_id = ${importId} AND p.undone_at IS NULL ORDER BY f.location_code`.execute(db);
  return rows;
}
