import { requestTitles, type TrackedKind } from '@gatehouse/contract/tracked-requests';
import { t } from '@gatehouse/language/t';
import type { Database } from '#db/database.ts';
import type { RequestKind, RequestStatus } from '#db/tables.ts';
import type { StaffMessage } from '#emails/staff/staff-message.ts';
import { notices } from './events.ts';

const noticeTitles = {
  autopayCreditCardToAch: 'Autopay changed from card to ACH',
  notifyAchPayment: 'ACH payment',
} as const satisfies Record<Exclude<RequestKind, TrackedKind>, string>;

/** The name of a kind for staff. */
export const titles = { ...requestTitles, ...noticeTitles } as const satisfies Record<
  RequestKind,
  string
>;

/** Whether it informs staff without a task. */
export function isNotice(kind: RequestKind): boolean {
  return notices.includes(kind);
}

/** Such as "Maintenance request, unit A101". */
export function aboutOf(kind: RequestKind, unitName: string | null): string {
  return unitName === null ? titles[kind] : `${titles[kind]}, unit ${unitName}`;
}

/** The same for the tenant, in the current language. */
export function tenantsAboutOf(kind: RequestKind, unitName: string | null): string {
  const title = t(titles[kind]);
  return unitName === null ? title : t('{title}, unit {unitName}', { title, unitName });
}

/** The name of its unit at that time; null where it concerns the tenant record. */
export function unitNameOf({
  ledgerId,
  details,
}: {
  ledgerId: string | null;
  details: unknown;
}): string | null {
  return ledgerId === null ? null : ((details as StaffMessage).unitNames[0] ?? null);
}

const columns = [
  'requests.id',
  'requests.reference',
  'requests.kind',
  'requests.status',
  'requests.version',
  'requests.details',
  'requests.image_id as imageId',
  'requests.created_at as createdAt',
  'requests.facility_id as facilityId',
  'requests.tenant_id as tenantId',
  'requests.ledger_id as ledgerId',
  'facilities.location_code as locationCode',
  'facilities.name as facilityName',
  'facilities.phone as facilityPhone',
  'facilities.email as facilityEmail',
  'facilities.time_zone as timeZone',
  'tenants.first_name as firstName',
  'tenants.email as tenantEmail',
] as const;

function allRequests(db: Database) {
  return db
    .selectFrom('requests')
    .innerJoin('facilities', 'facilities.id', 'requests.facility_id')
    .innerJoin('tenants', 'tenants.id', 'requests.tenant_id')
    .select(columns);
}

/** A request with the data that staff need. */
export type StaffRequest = Awaited<ReturnType<typeof findStaffRequests>>[number];

/** The filter, and the most requests to return. */
type Wanted = { facilityId?: string; status?: RequestStatus; isOpen?: boolean; most: number };

/** Requests for staff, the newest first. */
export function findStaffRequests(
  db: Database,
  { facilityId, status, isOpen = false, most }: Wanted,
) {
  return allRequests(db)
    .$if(facilityId !== undefined, (query) => query.where('requests.facility_id', '=', facilityId!))
    .$if(status !== undefined, (query) => query.where('requests.status', '=', status!))
    .$if(isOpen, (query) => query.where('requests.status', '<>', 'done'))
    .orderBy('requests.created_at', 'desc')
    .orderBy('requests.reference', 'desc')
    .limit(most)
    .execute();
}

/** One request, or undefined for an unknown id or reference. */
export function findStaffRequest(db: Database, by: { id: string } | { reference: string }) {
  const all = allRequests(db);
  const one =
    'id' in by
      ? all.where('requests.id', '=', by.id)
      : all.where('requests.reference', '=', by.reference);
  return one.executeTakeFirst();
}

/** The events of a request, in order. */
export function listEvents(db: Database, requestId: string) {
  return db
    .selectFrom('request_events')
    .leftJoin('webhook_deliveries', 'webhook_deliveries.event_id', 'request_events.id')
    .select([
      'request_events.id',
      'kind',
      'status',
      'text',
      'via',
      'author',
      'created_at as at',
      'tries',
      'fault',
      'delivered_at as deliveredAt',
      'dead_at as deadAt',
    ])
    .where('request_id', '=', requestId)
    .orderBy('position')
    .execute();
}
export type RequestEvent = Awaited<ReturnType<typeof listEvents>>[number];
