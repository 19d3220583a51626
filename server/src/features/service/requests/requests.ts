import { createHmac } from 'node:crypto';
import type { RequestReceipt } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { RequestKind } from '#db/tables.ts';
import { action, withAction, type Email } from '#emails/email.ts';
import type { StaffMessage } from '#emails/staff/staff-message.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { Refusal } from '#errors/refusal.ts';
import { recordEvent } from './events.ts';
import { findRecipients } from './recipients.ts';
import type { Requester } from './requester.ts';
import { isNotice } from './tracked.ts';

/** The tenant and the HTTP request that caused it; null where the server did. */
export type Asker = { userId: string; idempotencyKey: string | undefined } | null;

/**
 * A message to staff. `given` is the tenant's input, cleaned, by which a repeated request is
 * recognized; `facts` is the content of its mail, which is stored.
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

/** The idempotency key and the hash of the input. */
type Asked = Pick<NewRequest<object>, 'kind' | 'requester' | 'asker' | 'given'>;

/** A filed request with its photo; `isRepeated` where it had been filed before. */
export type Filed = {
  requestId: string;
  reference: string;
  imageId: string | null;
  isRepeated: boolean;
};

/**
 * Stores a message to staff with its first event, and queues its mails to the facility's recipients
 * of its kind, in the given transaction. It changes no record. A repeat of the same Idempotency-Key
 * gets the first reference, also when both come at once; another request under the key is refused
 * with 422. The sixth of a kind within an hour for a rental is refused with 429. Where no address
 * is set, no mail is sent.
 */
export async function fileRequest<Facts extends object>(
  ctx: Context,
  trx: DatabaseTransaction,
  request: NewRequest<Facts>,
): Promise<Filed> {
  const { kind, requester, asker, facts, email, imageId = null } = request;
  const { facilityId, facilityEmail, tenantId, ledgerId, facilityName, unitNames, tenant } =
    requester;
  const about = { facilityName, unitNames, tenant };
  const status = isNotice(kind) ? 'done' : 'new';
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
      status,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .returning(['id', 'reference'])
    .executeTakeFirst();
  if (row === undefined) return getEarlier(ctx, trx, request);
  const { id: requestId, reference } = row;
  const via = asker === null ? 'server' : 'portal';
  await recordEvent(ctx, trx, { requestId, kind: 'created', status, by: { via } });
  // Counted last: a repeated request must not count, a refused one is rolled back, and others wait
  // for this row.
  if (asker !== null) await countRequest(ctx, trx, kind, ledgerId ?? tenantId);
  await mailStaff(ctx, trx, {
    kind,
    facilityId,
    facilityEmail,
    tenantId,
    requestId,
    reference,
    email: () => email({ ...about, reference }, facts),
  });
  return { requestId, reference, imageId, isRepeated: false };
}

/** A mail about a request to those who get its kind. */
type Mailed = {
  kind: RequestKind;
  facilityId: string;
  facilityEmail: string | null;
  tenantId: string;
  requestId: string;
  reference: string;
  email: () => Email;
};

/**
 * A mail to each recipient. One with an account of staff gets the link to the request in the
 * office, or of a notice, which has no task, to the tenant.
 */
export async function mailStaff(
  ctx: Context,
  trx: DatabaseTransaction,
  { kind, facilityId, facilityEmail, tenantId, requestId, reference, email }: Mailed,
): Promise<void> {
  const recipients = await findRecipients(trx, { facilityId, facilityEmail, kind });
  if (recipients.length === 0)
    ctx.log.warn({ reference }, 'a message to staff was not mailed: no address is set');
  const task = isNotice(kind)
    ? action('Open the tenant', `/office/tenants/${tenantId}/show`)
    : action('Reply or set the status', `/office/requests/${requestId}/show`);
  for (const { address, hasAccount } of recipients)
    await queueMail(ctx, trx, {
      to: address,
      kind,
      // Merged by tenant: what one wrote must not decide whether a mail server takes another's.
      about: `${facilityId} ${tenantId}`,
      tenantId,
      email: () => (hasAccount ? withAction(email(), task) : email()),
    });
}

/**
 * Files a request without other effects, and returns the tenant's answer; `also` runs in its
 * transaction, unless it was filed before. Refuses as fileRequest does.
 */
export async function askStaff<Facts extends object>(
  ctx: Context,
  request: NewRequest<Facts>,
  also: (trx: DatabaseTransaction, filed: Filed) => Promise<void> = async () => {},
): Promise<RequestReceipt> {
  const reference = await ctx.db.transaction().execute(async (trx) => {
    const filed = await fileRequest(ctx, trx, request);
    if (!filed.isRepeated) await also(trx, filed);
    return filed.reference;
  });
  return { success: true, reference };
}

/**
 * The request filed under the same key, or null for none. Refuses with 422 when it was another
 * request. For callers that need it before an expensive step; fileRequest checks again.
 */
export async function findEarlier(
  ctx: Context,
  db: Database,
  request: Asked,
): Promise<Filed | null> {
  const { asker } = request;
  if (asker?.idempotencyKey === undefined) return null;
  const row = await db
    .selectFrom('requests')
    .select(['id', 'reference', 'image_id', 'request_hash'])
    .where('user_id', '=', asker.userId)
    .where('idempotency_key', '=', asker.idempotencyKey)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (!row.request_hash?.equals(hashOf(ctx, request))) throw keyIsTaken();
  return {
    requestId: row.id,
    reference: row.reference,
    imageId: row.image_id,
    isRepeated: true,
  };
}

/** For an Idempotency-Key under which something else was sent. */
export function keyIsTaken(): Refusal {
  return new Refusal(422, t('This Idempotency-Key was already used for another request.'));
}

/**
 * Counts what a tenant sends of a kind for a rental or request. Refuses the sixth within an hour
 * with 429.
 */
export function countRequest(
  ctx: Context,
  trx: DatabaseTransaction,
  kind: RequestKind,
  of: string,
): Promise<void> {
  const key = keyOf(ctx, 'request', kind, of);
  const sentence = t(
    'You have sent this several times within the last hour. Please try again later, or call the facility.',
  );
  return countLimited(ctx, trx, [{ name: 'requests-an-hour', key }], sentence);
}

async function getEarlier(ctx: Context, trx: DatabaseTransaction, request: Asked): Promise<Filed> {
  const earlier = await findEarlier(ctx, trx, request);
  if (earlier === null) throw new Error('an idempotency key conflicted, but no request has it');
  return earlier;
}

/**
 * A digest that is equal for the same input under one Idempotency-Key; the input cannot be derived
 * from it.
 */
function hashOf(ctx: Context, { kind, requester, given = {} }: Asked): Buffer {
  const asked = JSON.stringify([kind, requester.tenantId, requester.ledgerId, given]);
  return createHmac('sha256', ctx.config.secret).update(asked).digest();
}
