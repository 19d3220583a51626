import { sql } from 'kysely';
import { formTypes } from '@gatehouse/contract/requests';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { ContactChange } from '#emails/staff/contact-update-request.ts';
import { objectionEmail } from '#emails/staff/objection.ts';
import {
  DAY_SECONDS,
  makeLinkToken,
  readLinkToken,
  type LinkKind,
} from '#features/base/links/link-token.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { lockUser } from '#features/people/session/session.ts';
import { notFound } from '#errors/refusal.ts';
import { recordEvent } from './events.ts';
import { findRecipients } from './recipients.ts';
import { findStaffRequest, type StaffRequest } from './tracked.ts';

/** A link works for this many days. */
export const OBJECTION_DAYS = 30;

const kind: LinkKind = {
  purpose: 'objection-link',
  prefix: 'rqo_',
  seconds: OBJECTION_DAYS * DAY_SECONDS,
  extraBytes: 0,
};

/**
 * The URL of the page on which a tenant objects to a change of contact that a session asked for. It
 * goes to the address on file, and allows that only.
 */
export function makeObjectionLink(ctx: Context, requestId: string): string {
  return `${ctx.config.publicUrl}/objections/${makeLinkToken(ctx, kind, requestId)}`;
}

/** The request's id by a link's token. */
export function readObjectionLink(
  ctx: Context,
  token: string,
): { requestId: string } | 'altered' | 'expired' {
  const read = readLinkToken(ctx, kind, token);
  return typeof read === 'string' ? read : { requestId: read.id };
}

/** The request that a link is for, and whether it was objected to. Refuses with 404 none. */
export async function getObjectionable(
  db: Context['db'],
  requestId: string,
): Promise<{ request: StaffRequest; isObjected: boolean }> {
  const request = await findStaffRequest(db, { id: requestId });
  if (request?.kind !== formTypes.tenantUpdate) throw notFound();
  const event = await db
    .selectFrom('request_events')
    .select('id')
    .where('request_id', '=', requestId)
    .where('kind', '=', 'objected')
    .executeTakeFirst();
  return { request, isObjected: event !== undefined };
}

/**
 * Closes a request to change the contact because the tenant did not ask for it: every session of
 * the user who asked, and of the users of the record, ends, and staff are notified. A repeat
 * changes nothing.
 */
export async function objectTo(
  ctx: Context,
  requestId: string,
  origin: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      userId: string | null;
    }>`SELECT user_id AS "userId" FROM requests WHERE id = ${requestId} FOR UPDATE`.execute(trx);
    const { request, isObjected } = await getObjectionable(trx, requestId);
    if (isObjected) return;
    await sql`UPDATE requests SET status = 'done', version = version + 1 WHERE id = ${requestId}`.execute(
      trx,
    );
    const by = { via: 'link', author: addressOnFile(request) } as const;
    await recordEvent(ctx, trx, { requestId, kind: 'objected', status: 'done', by });
    const { reference, tenantId, facilityId } = request;
    await endSessions(trx, await findUsers(trx, tenantId, rows[0]?.userId ?? null));
    await audit(ctx, trx, origin, [
      { kind: 'contact_update_objected', tenantId, facilityId, details: { reference } },
    ]);
    for (const { address: to } of await findRecipients(trx, request))
      await queueMail(ctx, trx, {
        to,
        kind: 'security',
        tenantId: null,
        language: 'en',
        email: () => objectionEmail(request),
      });
  });
}

/** The address that the link was mailed to: staff may have changed the record's since. */
function addressOnFile({ details, tenantEmail }: StaffRequest): string {
  const { changes } = details as { changes: ContactChange[] };
  return changes.find(({ label }) => label === 'Email')?.from ?? tenantEmail;
}

/** Who asked, and who signs in to the record: its address may already be the requested one. */
async function findUsers(
  trx: DatabaseTransaction,
  tenantId: string,
  askedBy: string | null,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('user_tenants')
    .select('user_id as id')
    .where('tenant_id', '=', tenantId)
    .execute();
  return [...new Set([...rows.map(({ id }) => id), ...(askedBy === null ? [] : [askedBy])])];
}

async function endSessions(trx: DatabaseTransaction, userIds: string[]): Promise<void> {
  // In one order, so that two objections at once do not wait for each other.
  for (const userId of userIds.toSorted()) {
    await lockUser(trx, userId);
    await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  }
}
