import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
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
} from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { isCurrentRental } from '#db/current-rental.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { readFile, withFile } from '#features/base/images/images.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { maskTail } from '#features/rentals/tenants/mask-tail.ts';
import { readPaperFile } from './file.ts';

/** Whose papers: those of a tenant record, on the facility's `today`. */
export type Owner = { tenantId: string; userId: string; facilityId: string; timeZone: string };

/** A later last day is a slip of the pen. */
const MOST_DAYS_AHEAD = 20 * 366;

type PaperRow = {
  id: string;
  kind: PaperKind;
  number: string;
  expires_on: string;
  content_type: PaperFileType;
};

/** The current rentals of the record by unit name, each with its papers on file. */
export async function listPapers(ctx: Context, owner: Owner): Promise<RentalPapers[]> {
  const today = todayOf(ctx, owner);
  type Row = { ledgerId: string; unitName: string; contents: string | null; papers: PaperRow[] };
  const { rows } = await sql<Row>`
    SELECT l.id AS "ledgerId", u.name AS "unitName", c.contents, coalesce((
      SELECT json_agg(json_build_object('id', p.id, 'kind', p.kind, 'number', p.number,
        'expires_on', p.expires_on, 'content_type', p.content_type) ORDER BY p.kind DESC)
      FROM vehicle_papers p WHERE p.ledger_id = l.id AND p.replaced_at IS NULL), '[]') AS papers
    FROM ledgers l JOIN units u ON u.id = l.unit_id LEFT JOIN unit_contents c ON c.ledger_id = l.id
    WHERE l.tenant_id = ${owner.tenantId} AND is_current_on(l.moved_out_on, ${today}::date)
    ORDER BY u.name, l.id`.execute(ctx.db);
  return rows.map(({ contents, papers, ...rental }) => ({
    ...rental,
    stored: parseContents(contents ?? '')?.type ?? null,
    papers: papers.map((row) => paperView(ctx, row, today)),
  }));
}

/**
 * Files a paper of a current rental; an earlier one of its kind stays stored as replaced. The file
 * is checked completely before anything is stored. Refuses with 404 a rental that is not the
 * record's, with 422 a last day that is over or too far ahead, with 429 too many within an hour,
 * and a file as readPaperFile and withFile do.
 */
export async function filePaper(
  ctx: Context,
  owner: Owner,
  { ledgerId, ...given }: PaperBody & { ledgerId: string },
  request: AuditedRequest,
): Promise<VehiclePaper> {
  const today = todayOf(ctx, owner);
  const { kind, expiresOn } = given;
  if (expiresOn < today) throw new Refusal(422, paperExpired());
  if (expiresOn > addDays(today, MOST_DAYS_AHEAD))
    throw new Refusal(422, t('Expiration date is too far ahead. Please check it.'));
  await lockRental(ctx.db, owner.tenantId, { ledgerId, today });
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
    await trx
      .updateTable('vehicle_papers')
      .set({ replaced_at: now })
      .where('ledger_id', '=', ledgerId)
      .where('kind', '=', kind)
      .where('replaced_at', 'is', null)
      .execute();
    await trx
      .insertInto('vehicle_papers')
      .values({
        ...row,
        number,
        ledger_id: ledgerId,
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

/** The papers on file of a tenant record’s rentals, with their last days. */
export function findLastDays(
  db: Database,
  tenantId: string,
): Promise<{ ledgerId: string; kind: PaperKind; on: string }[]> {
  return db
    .selectFrom('vehicle_papers as p')
    .innerJoin('ledgers as l', 'l.id', 'p.ledger_id')
    .select(['p.ledger_id as ledgerId', 'p.kind', 'p.expires_on as on'])
    .where('l.tenant_id', '=', tenantId)
    .where('p.replaced_at', 'is', null)
    .orderBy('p.kind', 'desc')
    .execute();
}

/**
 * Deletes the paper of a kind that is on file, and its file; a repeat changes nothing. Refuses with
 * 404 a rental that is not the record's.
 */
export async function removePaper(
  ctx: Context,
  owner: Owner,
  { ledgerId, kind }: { ledgerId: string; kind: PaperKind },
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await lockRental(trx, owner.tenantId, { ledgerId, today: todayOf(ctx, owner) });
    const gone = await trx
      .deleteFrom('vehicle_papers')
      .where('ledger_id', '=', ledgerId)
      .where('kind', '=', kind)
      .where('replaced_at', 'is', null)
      .returning(['id', 'file_key'])
      .executeTakeFirst();
    if (gone === undefined) return;
    await ctx.enqueue(trx, { name: 'sweep-file', data: { key: gone.file_key } });
    await audit(ctx, trx, request, [
      eventOf('vehicle_paper_removed', owner, { ledgerId, paperId: gone.id, kind }),
    ]);
  });
}

/**
 * The file of the paper of a kind. Refuses with 404 where none is on file or the rental is not the
 * record's, with 503 while the store is unavailable.
 */
export async function getPaperFile(
  ctx: Context,
  { tenantId }: Owner,
  { ledgerId, paperKind }: { ledgerId: string; paperKind: string },
): Promise<PaperFile> {
  const row = await ctx.db
    .selectFrom('vehicle_papers as p')
    .innerJoin('ledgers as l', 'l.id', 'p.ledger_id')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select([
      'p.kind',
      'p.content_type as contentType',
      'p.file_key as fileKey',
      'u.name as unitName',
    ])
    .where('p.ledger_id', '=', ledgerId)
    .where(sql<string>`p.kind`, '=', paperKind)
    .where('p.replaced_at', 'is', null)
    .where('l.tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return openPaper(ctx, row);
}

/** A paper's file with a name of ours, which says what it is of. */
export async function openPaper(
  ctx: Context,
  paper: { kind: PaperKind; contentType: PaperFileType; fileKey: string; unitName: string },
): Promise<PaperFile> {
  const { kind, contentType, fileKey, unitName } = paper;
  return {
    fileName: `${kind}-${unitName.replaceAll(/[^\w-]+/g, '-')}.${endings[contentType]}`,
    contentType,
    data: (await readFile(ctx, fileKey)).toString('base64'),
  };
}

const endings: Record<PaperFileType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

function todayOf({ clock }: Context, { timeZone }: Owner): string {
  return calendarDateIn(timeZone, clock.now());
}

/**
 * Refuses with 404 a ledger that is no current rental of the record; in a transaction it is locked
 * until the end.
 */
async function lockRental(
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
