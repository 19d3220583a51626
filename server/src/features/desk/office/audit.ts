import type { Reply } from '@gatehouse/contract/endpoint';
import type {
  AlarmRow,
  AuditRow,
  listAlarms,
  listAudit,
  listDifferences,
  verifyAudit,
} from '@gatehouse/contract/office/audit';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import type { DifferenceClass } from '#db/tables.ts';
import { adviceOf } from '#features/base/alarms/staff.ts';
import { nameBrowser } from '#features/people/session/browser-name.ts';
import { verifyAuditTrail } from '#features/base/audit/chain.ts';
import { keysetOf } from './keyset.ts';
import { keyBegins } from './text.ts';

type Keyed = Parameters<typeof keysetOf>[0];
type AuditQuery = {
  by?: string | undefined;
  tenantId?: string | undefined;
  ledgerId?: string | undefined;
  kind?: string | undefined;
  verb?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
} & Keyed;

/**
 * The audit trail within the member's reach, the newest first: events of the facilities, and for a
 * member of all facilities also those of none. Days are UTC's. `work` reads the names of accounts.
 */
export async function findAudit(
  ctx: Context,
  work: Context,
  query: AuditQuery,
  places: Places,
): Promise<Reply<typeof listAudit>> {
  const keyset = keysetOf(query, {
    at: { keys: [{ by: sql`a.id`, as: 'bigint' }], order: 'desc' },
  });
  const { ledgerId = null, kind = null, verb = null } = query;
  // By the two indexes that find them; a condition on both columns would be tried on every event.
  const isOfTenant =
    query.tenantId === undefined
      ? sql`true`
      : sql`a.id IN (
          SELECT e.id FROM audit_events e WHERE e.tenant_id = ${query.tenantId}::uuid
          UNION SELECT e.id FROM audit_events e JOIN ledgers of ON of.id = e.ledger_id
          WHERE of.tenant_id = ${query.tenantId}::uuid AND e.tenant_id IS NULL)`;
  const { from = null, to = null, by = '' } = query;
  const staffIds = by === '' ? [] : await findMembers(work, by);
  type Row = Omit<AuditRow, 'at' | 'details' | 'staffEmail'> & {
    at: Date;
    userId: string | null;
    staffId: string | null;
    details: Record<string, string> | null;
    cursor: string[];
  };
  const { rows } = await sql<Row>`
    SELECT a.id::text, a.at, a.kind, a.details->>'by' AS by, a.user_id AS "userId", a.staff_id AS "staffId", a.tenant_id AS "tenantId",
      t.name AS "tenantName", a.ledger_id AS "ledgerId", u.name AS "unitName",
      f.location_code AS "locationCode", a.ip, a.device, a.details, ${keyset.cursor} AS cursor
    FROM audit_events a
    LEFT JOIN ledgers l ON l.id = a.ledger_id
    LEFT JOIN tenants t ON t.id = coalesce(a.tenant_id, l.tenant_id)
    LEFT JOIN units u ON u.id = l.unit_id
    LEFT JOIN facilities f ON f.id = a.facility_id
    WHERE ${within(sql`a.facility_id`, places)}
      AND ${isOfTenant}
      AND (${ledgerId}::uuid IS NULL OR a.ledger_id = ${ledgerId}::uuid)
      AND (${kind}::text IS NULL OR a.kind = ${kind}::text)
      AND (${verb}::text IS NULL OR a.kind = 'staff_action' AND a.details->>'verb' = ${verb}::text)
      AND (${by} = '' OR ${keyBegins(sql`search_key(a.details->>'by')`, by)} OR a.staff_id = ANY(${staffIds}::uuid[]))
      AND (${from}::date IS NULL OR a.at >= ${from}::date)
      AND (${to}::date IS NULL OR a.at < ${to}::date + 1)
      AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  const known = await accountsOf(
    work,
    page.rows.flatMap(({ userId, staffId }) => [userId ?? [], staffId ?? []].flat()),
  );
  const find = (id: string | null) => (id === null ? undefined : known.get(id));
  return {
    ...page,
    rows: page.rows.map(({ at, userId, staffId, device, details, by: name, ...row }) => ({
      ...row,
      at: at.toISOString(),
      by: name ?? find(staffId ?? userId)?.name ?? null,
      staffEmail: find(staffId)?.email ?? null,
      device: nameBrowser(device),
      details: details ?? {},
    })),
  };
}

/** The members whose name or address begins so. */
async function findMembers({ db }: Context, by: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM staff_members
    WHERE ${keyBegins(sql`search_key(name)`, by)} OR ${keyBegins(sql`search_key(email)`, by)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

type Account = { id: string; name: string; email: string };

/** The sign-in addresses of tenants, and the names and addresses of staff, by their ids. */
async function accountsOf({ db }: Context, ids: string[]): Promise<Map<string, Account>> {
  const { rows } = await sql<Account>`
    SELECT id, email AS name, email FROM users WHERE id = ANY(${ids}::uuid[])
    UNION ALL SELECT id, coalesce(name, email), email FROM staff_members WHERE id = ANY(${ids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Computes the chain of the audit trail again. */
export async function checkAudit({ db }: Context): Promise<Reply<typeof verifyAudit>> {
  const { checked, waiting, fault } = await verifyAuditTrail(db);
  const wrong = /place (\d+)/.exec(fault ?? '')?.[1];
  return {
    isSound: fault === null,
    events: checked,
    waiting,
    wrongAt: wrong === undefined ? null : Number(wrong),
    sentence: fault ?? `${checked} events are as they were written.`,
  };
}

/** The alarms within reach, open ones unless others are asked for, the newest first. */
export async function findAlarms(
  { db }: Context,
  query: { standing?: 'open' | 'closed' | undefined; kind?: string | undefined } & Keyed,
  places: Places,
): Promise<Reply<typeof listAlarms>> {
  const keyset = keysetOf(query, {
    raisedAt: {
      keys: [
        { by: sql`a.raised_at`, as: 'timestamptz' },
        { by: sql`a.id`, as: 'uuid' },
      ],
      order: 'desc',
    },
  });
  type Row = Omit<AlarmRow, 'advice' | 'raisedAt' | 'closed'> & {
    raisedAt: Date;
    closedAt: Date | null;
    closedBy: string | null;
    closedWhy: string | null;
    cursor: string[];
  };
  const isOpen = query.standing !== 'closed';
  const { rows } = await sql<Row>`
    SELECT a.id, a.kind, f.location_code AS facility, a.sentence, a.raised_at AS "raisedAt", a.facts,
      a.closed_at AS "closedAt", a.closed_by AS "closedBy", a.closed_why AS "closedWhy",
      coalesce(l.tenant_id, (a.facts ->> 'tenantId')::uuid) AS "tenantId", ${keyset.cursor} AS cursor
    FROM alarms a LEFT JOIN facilities f ON f.id = a.facility_id LEFT JOIN ledgers l ON l.id = a.ledger_id
    WHERE (a.closed_at IS NULL) = ${isOpen}::boolean
      AND ${within(sql`a.facility_id`, places)}
      AND (${query.kind ?? null}::text IS NULL OR a.kind = ${query.kind ?? null}::text) AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ raisedAt, closedAt, closedBy, closedWhy, ...row }) => ({
      ...row,
      advice: adviceOf(row.kind),
      raisedAt: raisedAt.toISOString(),
      closed: closedAt && { at: closedAt.toISOString(), by: closedBy ?? '', why: closedWhy ?? '' },
    })),
  };
}

const advices: Record<DifferenceClass, string> = {
  gateway_only:
    'The gateway has a payment that the books have not: find whose it is, and refund it there or record it.',
  ledger_only:
    'The books have a payment that the gateway has not: reverse it as a mistake if no money came.',
  amount:
    'The sums differ: the gateway’s is what moved. Correct the rental by a credit or a charge.',
  status: 'The standings differ: the next comparison takes the gateway’s; look again tomorrow.',
  duplicate: 'The gateway took the same payment twice: refund one of them there.',
  refund:
    'A refund was made in the gateway’s dashboard: see that the rental owes again what it paid.',
  dispute: 'A dispute was opened at the gateway: answer it there before its day.',
};

/** The differences between the books and the gateway, the newest first. */
export async function findDifferences(
  { db }: Context,
  query: Keyed,
): Promise<Reply<typeof listDifferences>> {
  const keyset = keysetOf(query, {
    foundAt: {
      keys: [
        { by: sql`d.found_at`, as: 'timestamptz' },
        { by: sql`d.id`, as: 'uuid' },
      ],
      order: 'desc',
    },
  });
  type Row = Omit<Reply<typeof listDifferences>['rows'][number], 'foundAt' | 'advice' | 'class'> & {
    class: DifferenceClass;
    foundAt: Date;
    cursor: string[];
  };
  const { rows } = await sql<Row>`
    SELECT d.id, d.class, d.reference, d.found_at AS "foundAt", d.ours, d.theirs, i.tenant_id AS "tenantId",
      t.name AS "tenantName", f.location_code AS "locationCode",
      (SELECT min(p.receipt_number) FROM payments p WHERE p.intent_id = i.id) AS "receiptNumber", ${keyset.cursor} AS cursor
    FROM differences d
    LEFT JOIN payment_intents i ON i.id = CASE
      WHEN d.reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN d.reference::uuid END
    LEFT JOIN tenants t ON t.id = i.tenant_id LEFT JOIN facilities f ON f.id = t.facility_id
    WHERE ${keyset.isAfter} ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ foundAt, ...row }) => ({
      ...row,
      foundAt: foundAt.toISOString(),
      advice: advices[row.class],
    })),
  };
}
