import { toDollars } from '@gatehouse/contract/money';
import type { Reply } from '@gatehouse/contract/endpoint';
import type {
  listTenantMails,
  listTenants,
  TenantFile,
  TenantRow,
} from '@gatehouse/contract/office/tenants';
import { sql, type RawBuilder } from 'kysely';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { mailFaults } from '#adapters/mail/transport.ts';
import type { Database } from '#db/database.ts';
import { todayAt } from '#db/today.ts';
import { within, type Places } from '#db/within.ts';
import { notFound } from '#errors/refusal.ts';
import { kindsToStaff } from '#features/base/mail/kinds.ts';
import { readFormNames } from '#features/service/esign/forms.ts';
import { listDocumentsOf } from '#features/service/esign/staff.ts';
import { findLettersTo } from '#features/money/late-notices/print.ts';
import { findPayLinks } from '#features/money/pay-links/links.ts';
import { noteShown } from '#features/base/staff-actions/staff-actions.ts';
import { readLateSteps } from '#features/rentals/late-steps/read.ts';
import { findTenants } from '#features/rentals/tenants/find.ts';
import { findShownTenant } from '#features/rentals/tenants/show.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { keysetOf } from './keyset.ts';
import { readNotes } from './notes.ts';
import { placesOf } from './places.ts';

type Listed = Reply<typeof listTenants>;
type ListQuery = {
  q?: string | undefined;
  standing?: 'current' | 'former' | undefined;
  after?: string | undefined;
  limit?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};

/**
 * Tenant records of the facilities, by name, or the best fits of a text. The ids are found with
 * every row in reach, because an index on an expression cannot be used under row-level security;
 * the rows are then read within the member's reach.
 */
export async function findTenantRows(
  ctx: Context,
  work: Context,
  query: ListQuery,
  places: Places,
): Promise<Listed> {
  if (query.q !== undefined && query.q !== '') {
    const { tenants } = await findTenants(work.db, query.q, places);
    const ids = tenants.map(({ tenantId }) => tenantId);
    return { rows: await readRows(ctx.db, ids), next: null };
  }
  const keyset = keysetOf(query, {
    name: {
      keys: [
        { by: sql`t.last_key`, as: 'text' },
        { by: sql`t.first_key`, as: 'text' },
        { by: sql`t.id`, as: 'uuid' },
      ],
      order: 'asc',
    },
  });
  const now = ctx.clock.now();
  const isCurrent = sql`EXISTS (SELECT FROM ledgers l WHERE l.tenant_id = t.id
    AND is_current_on(l.moved_out_on, ${todayAt(now)}))`;
  const isAsked =
    query.standing === undefined
      ? sql`true`
      : query.standing === 'current'
        ? isCurrent
        : sql`NOT ${isCurrent}`;
  const { rows: found } = await sql<{ id: string; cursor: string[] }>`
    SELECT t.id, ${keyset.cursor} AS cursor FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE ${within(sql`t.facility_id`, places)} AND ${isAsked} AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(work.db);
  const { rows, next } = keyset.page(found);
  return {
    rows: await readRows(
      ctx.db,
      rows.map(({ id }) => id),
    ),
    next,
  };
}

/** Those of the records that are in reach, in the order of the ids. */
async function readRows(db: Database, ids: string[]): Promise<TenantRow[]> {
  type Row = Omit<TenantRow, 'balance' | 'rentals'> & {
    rentals: (Omit<TenantRow['rentals'][number], 'balance'> & { cents: number })[];
  };
  const { rows } = await sql<Row>`
    SELECT t.id, f.location_code AS "locationCode", t.company, t.first_name AS "firstName", t.last_name AS "lastName", t.email, t.phone,
      (SELECT coalesce(json_agg(json_build_object('ledgerId', l.id, 'unitName', u.name, 'cents', l.balance_cents,
          'movedOutOn', l.moved_out_on) ORDER BY l.moved_out_on IS NOT NULL, u.name), '[]')
        FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE l.tenant_id = t.id) AS rentals
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
    JOIN tenants t ON t.id = asked.id JOIN facilities f ON f.id = t.facility_id
    ORDER BY asked.place`.execute(db);
  return rows.map(({ rentals, ...row }) => ({
    ...row,
    balance: toDollars(rentals.reduce((sum, { cents }) => sum + cents, 0)),
    rentals: rentals.map(({ cents, ...rental }) => ({ ...rental, balance: toDollars(cents) })),
  }));
}

/**
 * One record with its rentals, methods, vehicles and notes, and notes in the audit trail that it
 * was shown, before it is. Refuses with 404 one that is not there or of another facility.
 */
export async function readTenantFile(
  ctx: Context,
  work: Context,
  staff: StaffMember,
  tenantId: string,
  origin: AuditedRequest,
): Promise<TenantFile> {
  const call = { facilityIds: placesOf(staff, undefined) };
  const { facilityId, read } = await findShownTenant(ctx, call, tenantId);
  const noted = { by: staff.name, why: '', origin };
  await noteShown(work, 'tenants.show', noted, { facilityId, tenantId });
  // Before a connection is held: one that waits for a second of its pool may wait for itself.
  const mailFault = await readMailFault(work, tenantId);
  const lateSteps = await readLateSteps(work, tenantId);
  return ctx.db.transaction().execute(async (db) => {
    const shown = await read(db);
    const vehicles = await readVehicles(db, tenantId);
    const notes = await readNotes(db, staff, tenantId);
    const payLinks = await findPayLinks({ ...ctx, db }, tenantId);
    const documents = await listDocumentsOf({ ...ctx, db }, tenantId);
    const letters = await findLettersTo(db, tenantId);
    const forms = ctx.esign.isRemote ? [] : await readFormNames(db, facilityId);
    return {
      ...{ id: tenantId, ...shown, vehicles, mailFault, notes, payLinks },
      ...{ lateSteps, letters, documents, forms },
    };
  });
}

/** One that has papers only is among them. */
async function readVehicles(db: Database, tenantId: string): Promise<TenantFile['vehicles']> {
  const { rows } = await sql<TenantFile['vehicles'][number]>`
    SELECT l.id AS "ledgerId", v.further_id AS "vehicleId", coalesce(v.license_plate, '') AS "licensePlate",
      coalesce(v.description, '') AS description, coalesce(on_file.papers, '[]') AS papers
    FROM ledgers l CROSS JOIN LATERAL (
      SELECT NULL::uuid AS further_id, one.license_plate, one.description
      FROM (SELECT) first LEFT JOIN vehicles one ON one.ledger_id = l.id
      UNION ALL SELECT id, license_plate, description FROM further_vehicles WHERE ledger_id = l.id
    ) v
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('kind', p.kind, 'expiresOn', p.expires_on) ORDER BY p.kind DESC) AS papers
      FROM vehicle_papers p
      WHERE p.ledger_id = l.id AND p.vehicle_id IS NOT DISTINCT FROM v.further_id AND p.replaced_at IS NULL
    ) on_file ON true
    WHERE l.tenant_id = ${tenantId} AND (v.description IS NOT NULL OR on_file.papers IS NOT NULL)
    ORDER BY l.id, v.further_id IS NOT NULL, v.license_plate`.execute(db);
  return rows;
}

/**
 * Why the last mail to the record's address was refused for a fault of address or mail; null where
 * it was sent. One that was given up for another reason says nothing of the address. `work` reads
 * every row.
 */
async function readMailFault({ db }: Context, tenantId: string): Promise<string | null> {
  const { rows } = await sql<{ fault: string | null }>`
    SELECT m.fault FROM tenants t JOIN mails m ON lower(m.to_address) = lower(t.email)
    WHERE t.id = ${tenantId} AND (m.sent_at IS NOT NULL OR (m.fault IS NOT NULL AND m.failing_as = ANY(${mailFaults}::text[])))
    ORDER BY m.position DESC LIMIT 1`.execute(db);
  return rows[0]?.fault ?? null;
}

/** The record's facility and address. Refuses with 404 one that is not there or out of reach. */
export async function getRecord(
  { db }: Context,
  staff: StaffMember,
  tenantId: string,
): Promise<{ facilityId: string; timeZone: string; email: string }> {
  const { rows } = await sql<{ facilityId: string; timeZone: string; email: string }>`
    SELECT f.id AS "facilityId", f.time_zone AS "timeZone", t.email FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${tenantId} AND ${within(sql`f.id`, placesOf(staff, undefined))}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return row;
}

/**
 * The mails about a record, wherever they went, those to its address that are about no record, and
 * its text messages, the newest first. Mails to staff are none of a tenant's. `work` reads every
 * row.
 */
export async function findMails(
  work: Context,
  { tenantId, email }: { tenantId: string; email: string },
  query: Parameters<typeof keysetOf>[0],
): Promise<Reply<typeof listTenantMails>> {
  const keyset = keysetOf(query, {
    queued: {
      keys: [
        { by: sql`m."queuedAt"`, as: 'timestamptz' },
        { by: sql`m.id`, as: 'uuid' },
      ],
      order: 'desc',
    },
  });
  type Row = Omit<Reply<typeof listTenantMails>['rows'][number], 'queuedAt' | 'sentAt'> & {
    queuedAt: Date;
    sentAt: Date | null;
    cursor: string[];
  };
  // Each by its own index.
  const mailsOf = (which: RawBuilder<unknown>) => sql`
    SELECT id, to_address AS to, subject, created_at AS "queuedAt", sent_at AS "sentAt",
      tenant_id IS NOT NULL AS "isOfRecord",
      CASE WHEN fault IS NOT NULL THEN 'undeliverable' WHEN is_dropped THEN 'dropped' WHEN merged_into IS NOT NULL THEN 'merged'
        WHEN sent_at IS NOT NULL THEN 'sent' WHEN held_until IS NOT NULL AND decided_at IS NULL THEN 'held'
        ELSE 'waiting' END AS state, fault
    FROM mails WHERE ${which} AND kind <> ALL(${kindsToStaff}::text[])`;
  const { rows } = await sql<Row>`
    WITH m AS (
      ${mailsOf(sql`tenant_id = ${tenantId}`)}
      UNION ALL
      ${mailsOf(sql`tenant_id IS NULL AND lower(to_address) = lower(${email})`)}
      UNION ALL
      SELECT id, substring(to_phone FROM 3), CASE kind WHEN 'code' THEN 'Text: a code for reminders by text'
          WHEN 'welcome' THEN 'Text: reminders by text are on' ELSE 'Text: a reminder' END,
        created_at, CASE WHEN state IN ('sent', 'delivered') THEN tried_at END, true,
        CASE state WHEN 'delivered' THEN 'sent' WHEN 'sending' THEN 'waiting' ELSE state END, NULL
      FROM texts WHERE tenant_id = ${tenantId}
    )
    SELECT m.*, ${keyset.cursor} AS cursor FROM m WHERE ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(work.db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ queuedAt, sentAt, ...row }) => ({
      ...row,
      queuedAt: queuedAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
  };
}
