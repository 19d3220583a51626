import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import { parseContents } from '@gatehouse/contract/unit-contents';
import {
  paperExpired,
  paperStanding,
  type PaperBody,
  type PaperFile,
  type PaperFileType,
  type PaperKind,
  type RentalPapers,
  type VehiclePaper,
  type VehicleWithPapers,
} from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { sql, type RawBuilder } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { readFile, withFile } from '#features/base/images/images.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { maskTail } from '#features/rentals/tenants/mask-tail.ts';
import {
  furtherIdOf,
  joinVehicle,
  lockRental,
  todayOf,
  type Owner,
} from '#features/rentals/vehicles/vehicles.ts';
import { readPaperFile } from './file.ts';

/** A later last day is a slip of the pen. */
const MOST_DAYS_AHEAD = 20 * 366;

type PaperRow = {
  id: string;
  kind: PaperKind;
  number: string;
  expires_on: string;
  content_type: PaperFileType;
};

type VehicleRow = Omit<VehicleWithPapers, 'papers' | 'vehicleId'> & { vehicleId: string };
type RentalRow = {
  ledgerId: string;
  unitName: string;
  contents: string | null;
  first: Omit<VehicleRow, 'contents'> | null;
  further: VehicleRow[];
  papers: (PaperRow & { vehicle_id: string | null })[];
};

/** The current rentals of the record by unit name, each with its vehicles and their papers. */
export async function listPapers(ctx: Context, owner: Owner): Promise<RentalPapers[]> {
  const today = todayOf(ctx, owner);
  const { rows } = await sql<RentalRow>`
    SELECT l.id AS "ledgerId", u.name AS "unitName", c.contents,
      CASE WHEN v.id IS NOT NULL THEN json_build_object('vehicleId', v.id, 'licensePlate', v.license_plate,
        'description', v.description) END AS first,
      coalesce((
        SELECT json_agg(json_build_object('vehicleId', w.id, 'contents', w.contents, 'licensePlate', w.license_plate,
          'description', w.description) ORDER BY w.created_at, w.id)
        FROM further_vehicles w WHERE w.ledger_id = l.id), '[]') AS further,
      coalesce((
        SELECT json_agg(json_build_object('id', p.id, 'vehicle_id', p.vehicle_id, 'kind', p.kind, 'number', p.number,
          'expires_on', p.expires_on, 'content_type', p.content_type) ORDER BY p.kind DESC)
        FROM vehicle_papers p WHERE p.ledger_id = l.id AND p.replaced_at IS NULL), '[]') AS papers
    FROM ledgers l JOIN units u ON u.id = l.unit_id LEFT JOIN unit_contents c ON c.ledger_id = l.id
    LEFT JOIN vehicles v ON v.ledger_id = l.id
    WHERE l.tenant_id = ${owner.tenantId} AND is_current_on(l.moved_out_on, ${today}::date)
    ORDER BY u.name, l.id`.execute(ctx.db);
  return rows.map((row) => rentalView(ctx, row, today));
}

function rentalView(ctx: Context, row: RentalRow, today: string): RentalPapers {
  const { ledgerId, unitName, further } = row;
  const papersOf = (vehicleId: string | null) =>
    row.papers
      .filter(({ vehicle_id }) => vehicle_id === vehicleId)
      .map((paper) => paperView(ctx, paper, today));
  const isHousehold = parseContents(row.contents ?? '')?.type === 'none';
  const first = {
    vehicleId: null,
    licensePlate: '',
    description: '',
    ...row.first,
    contents: isHousehold ? '' : (row.contents ?? ''),
    papers: papersOf(null),
  };
  return {
    ledgerId,
    unitName,
    // Household items have no papers.
    first: isHousehold && first.papers.length === 0 ? null : first,
    further: further.map((vehicle) => ({ ...vehicle, papers: papersOf(vehicle.vehicleId) })),
  };
}

/**
 * Files a paper of a vehicle of a current rental; an earlier one of its kind stays stored as
 * replaced. The file is checked completely before anything is stored. Refuses with 404 a rental
 * that is not the record's and a vehicle that is not the rental's, with 422 a last day that is over
 * or too far ahead, with 429 too many within an hour, and a file as readPaperFile and withFile do.
 */
export async function filePaper(
  ctx: Context,
  owner: Owner,
  { ledgerId, vehicleId, ...given }: PaperBody & { ledgerId: string },
  request: AuditedRequest,
): Promise<VehiclePaper> {
  const today = todayOf(ctx, owner);
  const { kind, expiresOn } = given;
  if (expiresOn < today) throw new Refusal(422, paperExpired());
  if (expiresOn > addDays(today, MOST_DAYS_AHEAD))
    throw new Refusal(422, t('Expiration date is too far ahead. Please check it.'));
  await lockRental(ctx.db, owner.tenantId, { ledgerId, today });
  await furtherIdOf(ctx.db, ledgerId, vehicleId);
  // Counted before it is decoded, whatever becomes of it: a refused file costs as much.
  const key = keyOf(ctx, 'vehicle-paper', owner.tenantId);
  await countLimited(
    ctx,
    ctx.db,
    [{ name: 'vehicle-papers-an-hour', key }],
    t(
      'You have filed several papers within the last hour. Please try again later, or call your facility.',
    ),
  );
  const file = await readPaperFile(owner.tenantId, given.fileData);
  const row = {
    id: randomUUID(),
    kind,
    expires_on: expiresOn,
    content_type: file.contentType,
  };
  const number = ctx.vault.seal('vehiclePaper', row.id, given.number);
  const fileKey = randomUUID();
  await withFile(ctx, { fileKey, ...file }, async (trx) => {
    const now = ctx.clock.now();
    // Locked, so that of two at once the second replaces the first.
    await lockRental(trx, owner.tenantId, { ledgerId, today });
    const furtherId = await furtherIdOf(trx, ledgerId, vehicleId);
    await trx
      .updateTable('vehicle_papers')
      .set({ replaced_at: now })
      .where(isOnFile(ledgerId, furtherId))
      .where('kind', '=', kind)
      .execute();
    await trx
      .insertInto('vehicle_papers')
      .values({
        ...row,
        number,
        ledger_id: ledgerId,
        vehicle_id: furtherId,
        facility_id: owner.facilityId,
        file_name: given.file || null,
        bytes: file.bytes.length,
        file_key: fileKey,
        user_id: owner.userId,
        created_at: now,
      })
      .execute();
    await audit(ctx, trx, request, [
      eventOf('vehicle_paper_filed', owner, { ledgerId, paperId: row.id, kind }),
    ]);
  });
  return paperView(ctx, { ...row, number }, today);
}

/** Which papers are on file of a vehicle of a rental, as furtherIdOf answers it. */
function isOnFile(ledgerId: string, furtherId: string | null): RawBuilder<boolean> {
  return sql`ledger_id = ${ledgerId} AND vehicle_id IS NOT DISTINCT FROM ${furtherId}::uuid AND replaced_at IS NULL`;
}

/** A paper on file with its last day; `vehicle` is what its vehicle is called. */
export type LastDay = {
  ledgerId: string;
  /** Null of the first of its rental. */
  vehicleId: string | null;
  vehicle: string | null;
  kind: PaperKind;
  on: string;
};

/** The papers on file of a tenant record’s rentals, with their last days. */
export async function findLastDays(db: Database, tenantId: string): Promise<LastDay[]> {
  const { rows } = await sql<LastDay>`
    SELECT p.ledger_id AS "ledgerId", p.vehicle_id AS "vehicleId", v.description AS vehicle, p.kind, p.expires_on AS on
    FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id ${joinVehicle}
    WHERE l.tenant_id = ${tenantId} AND p.replaced_at IS NULL ORDER BY p.kind DESC`.execute(db);
  return rows;
}

/**
 * Deletes the paper of a kind and vehicle that is on file, and its file; a repeat changes nothing.
 * Refuses with 404 a rental that is not the record's and a vehicle that is not the rental's.
 */
export async function removePaper(
  ctx: Context,
  owner: Owner,
  {
    ledgerId,
    vehicleId,
    kind,
  }: { ledgerId: string; vehicleId?: string | undefined; kind: PaperKind },
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await lockRental(trx, owner.tenantId, { ledgerId, today: todayOf(ctx, owner) });
    const furtherId = await furtherIdOf(trx, ledgerId, vehicleId);
    await deletePapers(ctx, trx, owner, { ledgerId, furtherId, kinds: [kind] }, request);
  });
}

/** Deletes papers of these kinds that are on file of a vehicle, and their files. */
export async function deletePapers(
  ctx: Context,
  trx: DatabaseTransaction,
  owner: Owner,
  {
    ledgerId,
    furtherId,
    kinds,
  }: { ledgerId: string; furtherId: string | null; kinds: PaperKind[] },
  request: AuditedRequest,
): Promise<void> {
  const gone = await trx
    .deleteFrom('vehicle_papers')
    .where(isOnFile(ledgerId, furtherId))
    .where('kind', 'in', kinds)
    .returning(['id', 'file_key', 'kind'])
    .execute();
  for (const { file_key } of gone)
    await ctx.enqueue(trx, { name: 'sweep-file', data: { key: file_key } });
  await audit(
    ctx,
    trx,
    request,
    gone.map(({ id, kind }) =>
      eventOf('vehicle_paper_removed', owner, { ledgerId, paperId: id, kind }),
    ),
  );
}

/**
 * The file of the paper of a kind and vehicle. Refuses with 404 where none is on file or the rental
 * is not the record's, with 503 while the store is unavailable.
 */
export async function getPaperFile(
  ctx: Context,
  { tenantId }: Owner,
  asked: { ledgerId: string; paperKind: string; vehicleId?: string | undefined },
): Promise<PaperFile> {
  const { rows } = await sql<NamedFile>`
    SELECT ${namedFile} FROM vehicle_papers p JOIN ledgers l ON l.id = p.ledger_id JOIN units u ON u.id = l.unit_id
    ${joinVehicle} WHERE l.tenant_id = ${tenantId} AND ${isAsked(asked)}`.execute(ctx.db);
  if (rows[0] === undefined) throw notFound();
  return openPaper(ctx, rows[0]);
}

/** What openPaper needs of a paper `p` with its unit `u` and its vehicle `v`. */
export const namedFile: RawBuilder<unknown> = sql`p.kind, p.content_type AS "contentType", p.file_key AS "fileKey",
  u.name AS "unitName", CASE WHEN p.vehicle_id IS NOT NULL THEN v.description END AS further`;

/** Which paper `p` on file a call asks for, with its vehicle `v`; without an id the first's. */
export function isAsked({
  ledgerId,
  paperKind,
  vehicleId,
}: {
  ledgerId: string;
  paperKind: string;
  vehicleId?: string | undefined;
}): RawBuilder<unknown> {
  const isOfVehicle =
    vehicleId === undefined ? sql`p.vehicle_id IS NULL` : sql`v.id = ${vehicleId}`;
  return sql`p.ledger_id = ${ledgerId} AND p.kind = ${paperKind} AND p.replaced_at IS NULL AND ${isOfVehicle}`;
}

/** A file with what it is called by; `further` is the vehicle's name unless it is the first. */
export type NamedFile = {
  kind: PaperKind;
  contentType: PaperFileType;
  fileKey: string;
  unitName: string;
  further: string | null;
};

/** A paper's file with a name of ours, which says what it is of. */
export async function openPaper(
  ctx: Context,
  { kind, contentType, fileKey, unitName, further }: NamedFile,
): Promise<PaperFile> {
  const name = [kind, unitName, further].filter(Boolean).join('-');
  return {
    fileName: `${name.replaceAll(/[^\w-]+/g, '-')}.${endings[contentType]}`,
    contentType,
    data: (await readFile(ctx, fileKey)).toString('base64'),
  };
}

const endings: Record<PaperFileType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

function paperView({ vault }: Context, row: PaperRow, today: string): VehiclePaper {
  return {
    kind: row.kind,
    number: maskTail(vault.open('vehiclePaper', row.id, row.number)),
    expiresOn: row.expires_on,
    standing: paperStanding(row.expires_on, today),
    fileType: row.content_type,
  };
}

function eventOf(
  kind: 'vehicle_paper_filed' | 'vehicle_paper_removed',
  { userId, tenantId, facilityId }: Owner,
  { ledgerId, paperId, kind: paper }: { ledgerId: string; paperId: string; kind: PaperKind },
) {
  return { kind, userId, tenantId, facilityId, ledgerId, details: { paper, paperId } };
}
