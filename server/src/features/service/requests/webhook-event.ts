import type { RequestEventKind } from '@gatehouse/contract/tracked-requests';
import type { Database } from '#db/database.ts';

const types: Record<RequestEventKind, string> = {
  created: 'request.created',
  replied: 'request.replied',
  answered: 'request.answered',
  status_changed: 'request.status_changed',
  objected: 'request.objected',
};

/** An event with its request, or undefined where it was deleted. */
export function findEvent(db: Database, eventId: string) {
  return db
    .selectFrom('request_events')
    .innerJoin('requests', 'requests.id', 'request_events.request_id')
    .innerJoin('facilities', 'facilities.id', 'requests.facility_id')
    .select([
      'request_events.id',
      'request_events.position',
      'request_events.kind',
      'request_events.status',
      'request_events.text',
      'request_events.via',
      'request_events.author',
      'request_events.created_at as at',
      'requests.reference',
      'requests.kind as requestKind',
      'requests.details',
      'requests.created_at as askedAt',
      'requests.tenant_id as tenantId',
      'requests.ledger_id as ledgerId',
      'facilities.location_code as locationCode',
    ])
    .where('request_events.id', '=', eventId)
    .executeTakeFirst();
}
export type DeliverableEvent = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

/**
 * The payload of an event (docs/webhook.md): the same bytes each time. It has the content of the
 * mail to staff, and so no gate code and no number of a card or account beyond its last four
 * digits.
 */
export function payloadOf(event: DeliverableEvent): string {
  const { id, position, kind, status, text, via, author, at, details } = event;
  return JSON.stringify({
    id,
    type: types[kind],
    sequence: position,
    occurredAt: at.toISOString(),
    request: {
      reference: event.reference,
      kind: event.requestKind,
      status,
      askedAt: event.askedAt.toISOString(),
      locationCode: event.locationCode,
      tenantId: event.tenantId,
      ledgerId: event.ledgerId,
      details,
    },
    ...(text !== null && { [kind === 'answered' ? 'answer' : 'reply']: { text } }),
    by: { via, name: author },
  });
}
