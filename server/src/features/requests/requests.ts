import { createHmac } from 'node:crypto';
import type { RequestReceipt } from '@gatehouse/contract/requests';
import type { Context } from '#context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { RequestKind } from '#db/tables.ts';
import type { Email } from '#emails/email.ts';
import type { StaffMessage } from '#emails/staff/staff-message.ts';
import { countLimited, keyOf } from '#features/limits/limits.ts';
import { queueMail } from '#features/mail/mail.ts';
import { Refusal } from '#refusal.ts';
import type { Requester } from './requester.ts';

/** Who asked through which call; null where the server itself had a reason to tell. */
export type Asker = { userId: string; idempotencyKey: string | undefined } | null;

/**
 * A message to staff. `given` is what the tenant asks, cleaned, by which a repeated request is recognised; `facts` is all
 * that its mail says, and what is kept of it.
 */
export type NewRequest<Facts extends object> = {
  kind: RequestKind;
  requester: Requester;
  asker: Asker;
  given?: object;
  facts: Facts;
  email: (message: StaffMessage, facts: Facts) => Email;
  imageId?: string | null;
};

/** What a request is recognised by. */
type Asked = Pick<NewRequest<object>, 'kind' | 'requester' | 'asker' | 'given'>;

/** A filed request, with the photo that is kept with it; `isRepeated` where it had been filed before. */
export type Filed = { reference: string; imageId: string | null; isRepeated: boolean };

/**
 * Stores a message to staff and queues its mail to the facility's own address, in the transaction given (D7). It changes
 * no record (design section 5). The same Idempotency-Key gets the first reference again, also when both come at once;
 * with another request under it, it is refused with 422. The sixth of a kind within an hour for a rental is refused with
 * 429 (T17). Without an address at the facility there is no mail.
 */
export async function fileRequest<Facts extends object>(
  ctx: Context,
  trx: DatabaseTransaction,
  request: NewRequest<Facts>,
): Promise<Filed> {
  const { kind, requester, asker, facts, email, imageId = null } = request;
  const { facilityId, facilityEmail, tenantId, ledgerId, facilityName, unitNames, tenant } = requester;
  const about = { facilityName, unitNames, tenant };
  const row = await trx
    .insertInto('requests')
    .values({
      facility_id: facilityId,
      tenant_id: tenantId,
      ledger_id: ledgerId,
      user_id: asker?.userId ?? null,
      kind,
      details: JSON.stringify({ ...about, ...facts }),
      image_id: imageId,
      idempotency_key: asker?.idempotencyKey ?? null,
      request_hash: asker?.idempotencyKey === undefined ? null : hashOf(ctx, request),
      created_at: ctx.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .returning('reference')
    .executeTakeFirst();
  if (row === undefined) return getEarlier(ctx, trx, request);
  // Only now: a repeated request is none, and what is refused takes its count back with the rest.
  if (asker !== null) await countRequest(ctx, trx, kind, ledgerId ?? tenantId);
  const { reference } = row;
  await queueMail(ctx, trx, { to: facilityEmail, email: email({ ...about, reference }, facts) });
  return { reference, imageId, isRepeated: false };
}

/**
 * Files a request that is all there is to do, and answers what the tenant gets; `also` is done in its transaction, unless it
 * was filed before. Refuses as fileRequest does.
 */
export async function askStaff<Facts extends object>(
  ctx: Context,
  request: NewRequest<Facts>,
  also: (trx: DatabaseTransaction, reference: string) => Promise<void> = async () => {},
): Promise<RequestReceipt> {
  const reference = await ctx.db.transaction().execute(async (trx) => {
    const filed = await fileRequest(ctx, trx, request);
    if (!filed.isRepeated) await also(trx, filed.reference);
    return filed.reference;
  });
  return { success: true, reference };
}

/**
 * The request that was filed under the same key, or null for none. Refuses with 422 when it was another request. For
 * what must be known before a costly step; fileRequest asks again.
 */
export async function findEarlier(ctx: Context, db: Database, request: Asked): Promise<Filed | null> {
  const { asker } = request;
  if (asker?.idempotencyKey === undefined) return null;
  const row = await db
    .selectFrom('requests')
    .select(['reference', 'image_id', 'request_hash'])
    .where('user_id', '=', asker.userId)
    .where('idempotency_key', '=', asker.idempotencyKey)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (!row.request_hash?.equals(hashOf(ctx, request)))
    throw new Refusal(422, 'This Idempotency-Key was already used for another request.');
  return { reference: row.reference, imageId: row.image_id, isRepeated: true };
}

function countRequest(ctx: Context, trx: DatabaseTransaction, kind: RequestKind, of: string): Promise<void> {
  const key = keyOf(ctx, 'request', kind, of);
  const sentence =
    'You have sent this several times within the last hour. Please try again later, or call the facility.';
  return countLimited(ctx, trx, [{ name: 'requests-an-hour', key }], sentence);
}

async function getEarlier(ctx: Context, trx: DatabaseTransaction, request: Asked): Promise<Filed> {
  const earlier = await findEarlier(ctx, trx, request);
  if (earlier === null) throw new Error('a request met a key that nobody used');
  return earlier;
}

/** Tells whether two requests under one Idempotency-Key ask the same; nothing can be read from it. */
function hashOf(ctx: Context, { kind, requester, given = {} }: Asked): Buffer {
  const asked = JSON.stringify([kind, requester.tenantId, requester.ledgerId, given]);
  return createHmac('sha256', ctx.config.secret).update(asked).digest();
}
