import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  MOST_LISTED,
  type TrackedKind,
  type TrackedRequest,
} from '@gatehouse/contract/tracked-requests';
import { sql } from 'kysely';
import { t } from '@gatehouse/language/t';
import type { Database } from '#db/database.ts';
import type { RequestStatus } from '#db/tables.ts';
import type { ContactChange } from '#emails/staff/contact-update-request.ts';
import { notices } from './events.ts';
import { unitNameOf } from './tracked.ts';

type Row = {
  id: string;
  reference: string;
  kind: TrackedKind;
  status: RequestStatus;
  ledgerId: string | null;
  details: { description?: string; reason?: string | null; changes?: ContactChange[] };
  createdAt: Date;
  steps: TrackedRequest['steps'];
};

/**
 * What a tenant record asked, with each step, newest first; dates are those of the facility's zone.
 * Notices are staff's only.
 */
export async function listOwnRequests(
  db: Database,
  tenantId: string,
  timeZone: string,
): Promise<TrackedRequest[]> {
  const { rows } = await sql<Row>`
    SELECT r.id, r.reference, r.kind, r.status, r.ledger_id AS "ledgerId", r.details, r.created_at AS "createdAt",
      (SELECT coalesce(json_agg(
          json_build_object('kind', e.kind, 'status', e.status, 'at', e.created_at, 'text', e.text)
          ORDER BY e.position), '[]')
        FROM request_events e WHERE e.request_id = r.id) AS steps
    FROM requests r
    WHERE r.tenant_id = ${tenantId} AND r.kind <> ALL(${notices}::text[])
    ORDER BY r.created_at DESC, r.reference DESC LIMIT ${MOST_LISTED}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    kind: row.kind,
    unitName: unitNameOf(row),
    askedOn: calendarDateIn(timeZone, row.createdAt),
    asked: row.details.description ?? row.details.reason ?? changedFields(row.details.changes),
    status: row.status,
    timeZone,
    steps: row.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  }));
}

/** What a contact update asks to change, field by field; null for a request of another kind. */
function changedFields(changes: ContactChange[] | undefined): string | null {
  const names: Record<string, string> = {
    'First name': t('First Name'),
    'Last name': t('Last Name'),
    Phone: t('Phone'),
    Email: t('Email'),
    'Street 1': t('Street 1'),
    'Street 2': t('Street 2'),
    City: t('City'),
    State: t('State'),
    'Postal code': t('Postal Code'),
  };
  return changes?.map(({ label }) => names[label] ?? label).join(', ') || null;
}
