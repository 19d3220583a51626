import type { Owner } from '#seeds/builders.ts';
import { addRows } from './rows.ts';

/** A request of a tenant record to its facility that staff have replied to. */
export async function makeRepliedRequest(
  db: Owner,
  row: { facility_id: string; tenant_id: string; created_at: Date },
  { name = 'Dana Reyes', reply = 'Does Tuesday fit?' } = {},
): Promise<string> {
  const { id: requestId } = await db
    .insertInto('requests')
    .values({
      kind: 'resend_esign_documents_form',
      details: JSON.stringify({
        facilityName: 'Eagle Mountain',
        unitNames: [],
        pending: null,
        tenant: { name, phone: null, email: 'dana@example.com' },
      }),
      status: 'in_progress',
      ...row,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const event = { request_id: requestId, created_at: row.created_at };
  await addRows(db, 'request_events', [
    { ...event, kind: 'created', status: 'new', via: 'portal' },
    { ...event, kind: 'replied', status: 'new', via: 'cli', author: 'desk', text: reply },
    { ...event, kind: 'status_changed', status: 'in_progress', via: 'cli', author: 'desk' },
  ]);
  return requestId;
}
