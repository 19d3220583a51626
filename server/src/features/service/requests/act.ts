import { REPLY_MAX } from '@gatehouse/contract/answer-fields';
import { requestStatuses } from '@gatehouse/contract/tracked-requests';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditEvent, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { RequestStatus } from '#db/tables.ts';
import { requestChangedEmail } from '#emails/request-changed.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { recordEvent, type Staff } from './events.ts';
import {
  findStaffRequest,
  isNotice,
  tenantsAboutOf,
  unitNameOf,
  type StaffRequest,
} from './tracked.ts';

/** The limit of events of a request, against a leaked link: each one mails the tenant. */
const MOST_EVENTS = 40;

/** An action of staff: a reply, a status, or both. */
export type Act = { reply: string | null; status: Exclude<RequestStatus, 'new'> | null };

/**
 * The reply with normalized line ends and without invisible characters; null for none. Refuses with
 * 422 one that is too long.
 */
export function readReply(typed: string): string | null {
  const text = typed
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, '')
    .trim();
  if (text.length > REPLY_MAX)
    throw new Refusal(
      422,
      `The reply is too long: it has ${text.length} of at most ${REPLY_MAX} characters.`,
    );
  return text === '' ? null : text;
}

/**
 * The actor and the HTTP request. `form` is the id of the submitted form, which is accepted once,
 * and the version that it showed.
 */
export type Actor = {
  staff: Staff;
  origin: AuditedRequest;
  form?: { id: string; version: number };
};

/**
 * Applies an action of staff to a request, with its events, the mail to the tenant and the audit
 * trail in one transaction. A reply to a new request starts work on it. Returns whether the form
 * had been submitted before, in which case nothing is done. Refuses with 404 a missing request,
 * with 409 a notice, one that was changed meanwhile and one with too many events, and with 422 an
 * empty action.
 */
export async function actOnRequest(
  ctx: Context,
  requestId: string,
  act: Act,
  actor: Actor,
): Promise<{ isRepeated: boolean }> {
  return ctx.db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, requestId);
    if (actor.form !== undefined && (await wasSent(trx, requestId, actor.form.id)))
      return { isRepeated: true };
    await refuseAct(trx, request, act, actor);
    await writeAct(ctx, trx, request, { ...act, status: statusAfter(request, act) }, actor);
    return { isRepeated: false };
  });
}

/** The status after an action. */
function statusAfter({ status }: StaffRequest, act: Act): RequestStatus {
  if (act.status !== null) return act.status;
  return act.reply !== null && status === 'new' ? 'in_progress' : status;
}

async function lockRequest(trx: DatabaseTransaction, requestId: string): Promise<StaffRequest> {
  await sql`SELECT id FROM requests WHERE id = ${requestId} FOR UPDATE`.execute(trx);
  const request = await findStaffRequest(trx, { id: requestId });
  if (request === undefined) throw notFound();
  return request;
}

async function wasSent(
  trx: DatabaseTransaction,
  requestId: string,
  formId: string,
): Promise<boolean> {
  const event = await trx
    .selectFrom('request_events')
    .select('id')
    .where('request_id', '=', requestId)
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return event !== undefined;
}

async function refuseAct(
  trx: DatabaseTransaction,
  request: StaffRequest,
  act: Act,
  { form }: Actor,
): Promise<void> {
  if (isNotice(request.kind))
    throw new Refusal(409, `${request.reference} is a notice: nothing is asked in it.`);
  if (form !== undefined && form.version !== request.version)
    throw new Refusal(
      409,
      'Somebody else changed this request meanwhile. Please look at it and send your reply again.',
    );
  if (act.reply === null && statusAfter(request, act) === request.status)
    throw new Refusal(422, 'Please write a reply or choose another status.');
  const { count } = await trx
    .selectFrom('request_events')
    .select(trx.fn.countAll<number>().as('count'))
    .where('request_id', '=', request.id)
    .executeTakeFirstOrThrow();
  if (count >= MOST_EVENTS)
    throw new Refusal(409, 'This request has had too many replies. Please call the tenant.');
}

async function writeAct(
  ctx: Context,
  trx: DatabaseTransaction,
  request: StaffRequest,
  { reply, status }: { reply: string | null; status: RequestStatus },
  { staff: by, origin, form }: Actor,
): Promise<void> {
  const { id: requestId, reference, tenantId, facilityId, ledgerId } = request;
  const isMoved = status !== request.status;
  await sql`UPDATE requests SET status = ${status}, version = version + 1 WHERE id = ${requestId}`.execute(
    trx,
  );
  const event = { requestId, status, by, ...(form && { formId: form.id }) };
  const audited = { tenantId, facilityId, ...(ledgerId !== null && { ledgerId }) };
  // On the command line a name is typed, and not proven.
  const who: Record<string, string> = by.via === 'office' ? { by: by.author } : {};
  const noted: AuditEvent[] = [];
  if (reply !== null) {
    // The status at the time of the event; the next event may change it.
    await recordEvent(ctx, trx, { ...event, kind: 'replied', status: request.status, text: reply });
    noted.push({
      kind: 'request_replied',
      ...audited,
      details: { reference, via: by.via, ...who },
    });
  }
  if (isMoved) {
    await recordEvent(ctx, trx, { ...event, kind: 'status_changed' });
    noted.push({
      kind: 'request_status_changed',
      ...audited,
      details: { reference, via: by.via, status, ...who },
    });
  }
  await audit(ctx, trx, origin, noted);
  await notifyTenant(ctx, trx, request, reply, isMoved ? status : null);
}

async function notifyTenant(
  ctx: Context,
  trx: DatabaseTransaction,
  request: StaffRequest,
  reply: string | null,
  status: RequestStatus | null,
): Promise<void> {
  const { tenantEmail: to, tenantId } = request;
  await queueMail(ctx, trx, {
    to,
    kind: 'request_changed',
    tenantId,
    email: () =>
      requestChangedEmail({
        firstName: request.firstName,
        reference: request.reference,
        about: tenantsAboutOf(request.kind, unitNameOf(request)),
        facility: { name: request.facilityName, phone: request.facilityPhone },
        reply,
        status: status && t(requestStatuses[status]),
      }),
  });
}
