import { createHash } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { RequestReceipt } from '@gatehouse/contract/requests';
import { MOST_ANSWERS } from '@gatehouse/contract/tracked-requests';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { RequestKind } from '#db/tables.ts';
import { requestAnswerEmail } from '#emails/staff/request-answer.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { notices, recordEvent } from './events.ts';
import { getRequester, getTenantRequester } from './requester.ts';
import { countRequest, keyIsTaken, mailStaff } from './requests.ts';
import { titles } from './tracked.ts';

/** An answer of a tenant record to one of its requests. */
type Answer = {
  tenantId: string;
  requestId: string;
  text: string;
  idempotencyKey: string | undefined;
  /** The facility's. */
  timeZone: string;
};

type Row = {
  reference: string;
  kind: RequestKind;
  ledgerId: string | null;
  replies: number;
  answers: number;
};

/**
 * Adds an answer to a request and mails it to the facility, in one transaction. The request is in
 * progress afterwards, and its version rises: a form that staff opened before is refused. A repeat
 * of the same Idempotency-Key changes nothing. Refuses with 404 a request that is not the record's,
 * with 409 one without a reply or with MOST_ANSWERS, with 422 another text under the key, and with
 * 429 the sixth answer within an hour.
 */
export async function answerRequest(ctx: Context, answer: Answer): Promise<RequestReceipt> {
  const { requestId, text, idempotencyKey } = answer;
  const formId = idempotencyKey === undefined ? undefined : formIdOf(idempotencyKey);
  return ctx.db.transaction().execute(async (trx) => {
    const request = await lockOwn(trx, answer);
    const { reference } = request;
    const earlier = formId === undefined ? null : await findText(trx, requestId, formId);
    if (earlier === text) return { success: true, reference };
    if (earlier !== null) throw keyIsTaken();
    refuseAnswer(request);
    await countRequest(ctx, trx, request.kind, requestId);
    const status = 'in_progress';
    await sql`UPDATE requests SET status = ${status}, version = version + 1 WHERE id = ${requestId}`.execute(
      trx,
    );
    await recordEvent(ctx, trx, {
      requestId,
      kind: 'answered',
      status,
      text,
      by: { via: 'portal' },
      ...(formId !== undefined && { formId }),
    });
    await notifyStaff(ctx, trx, answer, request);
    return { success: true, reference };
  });
}

/** The answer that was sent under a form's id; null for none. */
async function findText(
  trx: DatabaseTransaction,
  requestId: string,
  formId: string,
): Promise<string | null> {
  const event = await trx
    .selectFrom('request_events')
    .select('text')
    .where('request_id', '=', requestId)
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return event?.text ?? null;
}

/** Locked, so that an answer and what staff do are one after the other. */
async function lockOwn(trx: DatabaseTransaction, { tenantId, requestId }: Answer): Promise<Row> {
  await sql`SELECT id FROM requests WHERE id = ${requestId} FOR UPDATE`.execute(trx);
  const { rows } = await sql<Row>`
    SELECT r.reference, r.kind, r.ledger_id AS "ledgerId",
      (SELECT count(*) FROM request_events e WHERE e.request_id = r.id AND e.kind = 'replied')::int AS replies,
      (SELECT count(*) FROM request_events e WHERE e.request_id = r.id AND e.kind = 'answered')::int AS answers
    FROM requests r
    WHERE r.id = ${requestId} AND r.tenant_id = ${tenantId} AND r.kind <> ALL(${notices}::text[])`.execute(
    trx,
  );
  const [request] = rows;
  if (request === undefined) throw notFound();
  return request;
}

function refuseAnswer({ replies, answers }: Row): void {
  if (replies === 0)
    throw new Refusal(
      409,
      t(
        'The facility has not replied to this request yet. Please call it if something has changed.',
      ),
    );
  if (answers >= MOST_ANSWERS)
    throw new Refusal(409, t('This request has had too many answers. Please call the facility.'));
}

async function notifyStaff(
  ctx: Context,
  trx: DatabaseTransaction,
  { tenantId, requestId, text, timeZone }: Answer,
  { reference, kind, ledgerId }: Row,
): Promise<void> {
  const requester =
    ledgerId === null
      ? await getTenantRequester(trx, tenantId, calendarDateIn(timeZone, ctx.clock.now()))
      : await getRequester(trx, [tenantId], ledgerId);
  const { facilityId, facilityEmail } = requester;
  const message = { reference, ...requester };
  await mailStaff(ctx, trx, {
    kind,
    facilityId,
    facilityEmail,
    tenantId,
    requestId,
    reference,
    email: () => requestAnswerEmail(message, { title: titles[kind], text }),
  });
}

/** The id of a form from a key of any text: 32 hexadecimal digits, as PostgreSQL reads a UUID. */
function formIdOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
