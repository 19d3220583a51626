import { createHash, randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { addRows } from './rows.ts';

export type OpenedText = Selectable<Tables['texts']>;

/** The text messages to a number in E.164, the oldest first, with their bodies opened. */
export async function textsTo(
  { owner, ctx }: { owner: Database; ctx: Pick<Context, 'vault'> },
  number: string,
): Promise<OpenedText[]> {
  const rows = await owner
    .selectFrom('texts')
    .selectAll()
    .where('to_phone', '=', number)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ ...row, body: ctx.vault.open('textBody', row.id, row.body) }));
}

/** A consent of a tenant record to text messages to its phone, confirmed; returns its id. */
export async function makeTextConsent(owner: Database, tenantId: string): Promise<string> {
  const text = 'I agree to text messages.';
  const id = randomUUID();
  const { rows } = await sql<{ corporation_id: string; phone: string }>`
    SELECT f.corporation_id, text_phone(t.phone) AS phone FROM tenants t JOIN facilities f ON f.id = t.facility_id
    WHERE t.id = ${tenantId}`.execute(owner);
  const { corporation_id, phone } = rows[0]!;
  const user = await owner
    .insertInto('users')
    .values({ corporation_id, email: `${id}@example.com`, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const at = new Date('2026-11-01T18:00:00Z');
  await addRows(owner, 'text_consents', {
    id,
    tenant_id: tenantId,
    user_id: user.id,
    phone,
    text,
    text_hash: createHash('sha256').update(text).digest(),
    agreed_at: at,
    confirmed_at: at,
    ip: '203.0.113.7',
  });
  return id;
}
