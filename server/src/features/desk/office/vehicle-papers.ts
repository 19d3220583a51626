import type { Reply } from '@gatehouse/contract/endpoint';
import type { listExpiringPapers } from '@gatehouse/contract/office/vehicle-papers';
import { SOON_DAYS, type PaperFile } from '@gatehouse/contract/vehicle-papers';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { notFound } from '#errors/refusal.ts';
import {
  isAsked,
  namedFile,
  openPaper,
  type NamedFile,
} from '#features/rentals/vehicle-papers/vehicle-papers.ts';
import { joinVehicle } from '#features/rentals/vehicles/vehicles.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { facilitiesToday, placesOf } from './places.ts';

const sorts: Sorts<'expiresOn'> = {
  expiresOn: {
    keys: [
      { by: sql`r.expires_on`, as: 'date' },
      { by: sql`r.id`, as: 'uuid' },
    ],
    order: 'asc',
  },
};

type List = Reply<typeof listExpiringPapers>;

/** The papers of current rentals that expire within 60 days or have expired. */
export async function findExpiringPapers(
  ctx: Context,
  query: Parameters<typeof keysetOf>[0],
  places: Places,
): Promise<List> {
  const keyset = keysetOf(query, sorts);
  const { rows } = await sql<List['rows'][number] & { cursor: string[] }>`
    SELECT r.id, r.ledger_id AS "ledgerId", t.id AS "tenantId", t.name AS "tenantName",
      r.location_code AS "locationCode", u.name AS "unitName", r.vehicle_id AS "vehicleId", coalesce(r.vehicle, '') AS vehicle, r.kind, r.expires_on AS "expiresOn",
      r.expires_on < r.today AS "isExpired", r.content_type AS "fileType", ${keyset.cursor} AS cursor
    FROM (
      SELECT p.id, p.ledger_id, p.vehicle_id, v.description AS vehicle, p.kind, p.expires_on, p.content_type, l.tenant_id,
        l.unit_id, f.location_code, f.today
      FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id JOIN tenants o ON o.id = l.tenant_id
      JOIN ${facilitiesToday(ctx, places)} f ON f.id = o.facility_id ${joinVehicle}
      WHERE p.replaced_at IS NULL AND p.expires_on <= f.today + ${SOON_DAYS}::int
        AND is_current_on(l.moved_out_on, f.today)
    ) r JOIN tenants t ON t.id = r.tenant_id JOIN units u ON u.id = r.unit_id
    WHERE ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  return keyset.page(rows);
}

/**
 * The file of a paper on file of a rental in reach, also of one that has ended. That it was shown
 * is in the audit trail before it is answered. Refuses with 404 where there is none.
 */
export async function showPaper(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  asked: Parameters<typeof isAsked>[0],
  request: AuditedRequest,
): Promise<PaperFile> {
  type Row = NamedFile & { id: string; tenantId: string; facilityId: string };
  const { rows } = await sql<Row>`
    SELECT p.id, ${namedFile}, t.id AS "tenantId", t.facility_id AS "facilityId"
    FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id JOIN tenants t ON t.id = l.tenant_id
    JOIN units u ON u.id = l.unit_id ${joinVehicle}
    WHERE ${isAsked(asked)} AND ${within(sql`t.facility_id`, placesOf(staff, undefined))}`.execute(
    ctx.db,
  );
  const [paper] = rows;
  if (paper === undefined) throw notFound();
  const { id: paperId, tenantId, facilityId, kind } = paper;
  await audit(ctx, work.db, request, [
    {
      kind: 'vehicle_paper_shown',
      tenantId,
      facilityId,
      ledgerId: asked.ledgerId,
      details: { by: staff.name, paper: kind, paperId },
    },
  ]);
  return openPaper(work, paper);
}
