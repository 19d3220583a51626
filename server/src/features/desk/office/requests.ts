import type { Reply } from '@gatehouse/contract/endpoint';
import type {
  listOfficeRequests,
  RequestFile,
  RequestRow,
} from '@gatehouse/contract/office/requests';
import { sql, type RawBuilder } from 'kysely';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import type { RequestKind } from '#db/tables.ts';
import { staffEmailOf } from '#emails/staff/templates.ts';
import { notFound } from '#errors/refusal.ts';
import { readImage } from '#features/base/images/images.ts';
import { actOnRequest, readReply } from '#features/service/requests/act.ts';
import { notices } from '#features/service/requests/events.ts';
import { aboutOf, unitNameOf } from '#features/service/requests/tracked.ts';
import { refuseCardNumber } from '#features/base/staff-actions/staff-actions.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { keysetOf } from './keyset.ts';
import { placesOf } from './places.ts';

type Row = Omit<RequestRow, 'kind' | 'title' | 'unitName' | 'hasPhoto' | 'createdAt'> & {
  kind: RequestKind;
  ledgerId: string | null;
  details: unknown;
  imageId: string | null;
  createdAt: Date;
  tenantEmail: string;
};

type Query = {
  status?: RequestRow['status'] | undefined;
  kind?: string | undefined;
  tenantId?: string | undefined;
  unitId?: string | undefined;
  standing?: 'open' | 'done' | undefined;
} & Parameters<typeof keysetOf>[0];

/** The requests of the facilities without the server's notices, the newest first. */
export async function findRequests(
  { db }: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listOfficeRequests>> {
  const keyset = keysetOf(query, {
    createdAt: {
      keys: [
        { by: sql`q.created_at`, as: 'timestamptz' },
        { by: sql`q.id`, as: 'uuid' },
      ],
      order: 'desc',
    },
  });
  const { status = null, kind = null, tenantId = null, unitId, standing = null } = query;
  const { rows } = await requestRows(
    sql`${within(sql`q.facility_id`, places)} AND q.kind <> ALL(${notices}::text[])
      AND (${status}::text IS NULL OR q.status = ${status}::text) AND (${kind}::text IS NULL OR q.kind = ${kind}::text)
      AND (${tenantId}::uuid IS NULL OR q.tenant_id = ${tenantId}::uuid)
      AND ${unitId === undefined ? sql`true` : isAbout(unitId)}
      AND (${standing}::text IS NULL OR (q.status = 'done') = (${standing}::text = 'done'))
      AND ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`,
    keyset.cursor,
  ).execute(db);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(requestView) };
}

/** Whether the request `q` is about a unit: of a rental that has or had it, and under its name. */
function isAbout(unitId: string): RawBuilder<boolean> {
  const ledgersOfUnit = sql`
    SELECT id FROM ledgers WHERE unit_id = ${unitId}::uuid
    UNION ALL SELECT ledger_id FROM past_units WHERE unit_id = ${unitId}::uuid`;
  return sql<boolean>`q.tenant_id IN (SELECT tenant_id FROM ledgers WHERE id IN (${ledgersOfUnit})) AND q.ledger_id IN (${ledgersOfUnit})
    AND q.details->'unitNames'->>0 = (SELECT name FROM units WHERE id = ${unitId}::uuid)`;
}

/** Requests that a condition on `q` names, with the cursor of a list. */
export function requestRows(
  which: RawBuilder<unknown>,
  cursor: RawBuilder<unknown> = sql`'[]'::json`,
): RawBuilder<Row & { cursor: string[] }> {
  return sql<Row & { cursor: string[] }>`
    SELECT q.id, q.reference, q.kind, q.status, q.version, f.location_code AS "locationCode", q.tenant_id AS "tenantId",
      t.name AS "tenantName", t.email AS "tenantEmail", q.ledger_id AS "ledgerId", q.details,
      q.image_id AS "imageId", q.created_at AS "createdAt",
      EXISTS (SELECT FROM request_events e WHERE e.request_id = q.id AND e.kind = 'replied') AS "isAnswered",
      ${cursor} AS cursor
    FROM requests q JOIN facilities f ON f.id = q.facility_id JOIN tenants t ON t.id = q.tenant_id
    WHERE ${which}`;
}

export function requestView({
  ledgerId,
  details,
  imageId,
  createdAt,
  tenantEmail: _,
  ...row
}: Row): RequestRow {
  const unitName = unitNameOf({ ledgerId, details });
  return {
    ...row,
    title: aboutOf(row.kind, unitName),
    unitName,
    hasPhoto: imageId !== null,
    createdAt: createdAt.toISOString(),
  };
}

/** One request with what was done. Refuses with 404 one that is not there or out of reach. */
export async function readRequest(
  { db }: Context,
  requestId: string,
  places: Places,
): Promise<RequestFile> {
  const row = await getRow(db, requestId, places);
  const events = await db
    .selectFrom('request_events')
    .select(['id', 'kind', 'status', 'text', 'via', 'author', 'created_at'])
    .where('request_id', '=', requestId)
    .orderBy('position')
    .execute();
  const { cursor: _, ...request } = row;
  return {
    ...requestView(request),
    tenantEmail: row.tenantEmail,
    asked: askedOf(row),
    events: events.map(({ created_at, ...event }) => ({
      ...event,
      at: created_at.toISOString(),
    })),
  };
}

async function getRow(db: Context['db'], requestId: string, places: Places) {
  const { rows } = await requestRows(
    sql`q.id = ${requestId} AND ${within(sql`q.facility_id`, places)}`,
  ).execute(db);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/** The lines of the mail to staff, without the facts that are fields of the answer. */
function askedOf({ kind, reference, details }: Row): RequestFile['asked'] {
  return staffEmailOf(kind, reference, details)
    .blocks.slice(1)
    .flatMap((block): RequestFile['asked'] => {
      if (block.kind === 'link') return [];
      if (block.kind !== 'facts') return [{ label: '', text: block.text }];
      return block.facts
        .filter(([label]) => label !== 'Reference' && label !== 'Facility')
        .map(([label, text]) => ({ label, text }));
    });
}

/** The photo of a request. Refuses with 404 where it has none. */
export async function readPhoto(
  ctx: Context,
  requestId: string,
  places: Places,
): Promise<{ contentType: 'image/jpeg' | 'image/webp'; data: string }> {
  const { imageId, tenantId } = await getRow(ctx.db, requestId, places);
  if (imageId === null) throw notFound();
  const { bytes, contentType } = await readImage(ctx, tenantId, imageId);
  return {
    contentType: contentType === 'image/webp' ? 'image/webp' : 'image/jpeg',
    data: bytes.toString('base64'),
  };
}

/**
 * Replies to a request in reach or sets its status, once under its key. Refuses with 404 one that
 * is not there, and as actOnRequest does.
 */
export async function answer(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  {
    requestId,
    key,
    version,
    reply,
    status,
  }: {
    requestId: string;
    key: string;
    version: number;
    reply: string | null;
    status: 'in_progress' | 'done' | null;
  },
  origin: AuditedRequest,
): Promise<RequestFile> {
  const places = placesOf(staff, undefined);
  await getRow(ctx.db, requestId, places);
  refuseCardNumber(reply);
  await actOnRequest(
    work,
    requestId,
    { reply: readReply(reply ?? ''), status },
    {
      staff: { via: 'office', author: staff.name },
      origin,
      form: { id: key, version },
    },
  );
  return readRequest(ctx, requestId, places);
}
