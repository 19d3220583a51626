import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#context/context.ts';
import { readImage } from '#features/images/images.ts';
import { prepareRefusal } from '#http/errors.ts';
import { inLanguageOf } from '#http/language.ts';
import { Refusal } from '#errors/refusal.ts';
import { actOnRequest, readReply } from './act.ts';
import { findRecipients } from './recipients.ts';
import { findAddress, LINK_DAYS, readStaffLink } from './staff-links.ts';
import {
  LINK_HEADERS,
  LINK_POLICY,
  LINK_ROUTE,
  renderLinkRefusal,
} from '#features/links/link-page.ts';
import { registerObjectionPages } from './objection-routes.ts';
import { PHOTO_POLICY, renderStaffPage, type StaffPage } from './staff-page.ts';
import { findStaffRequest, listEvents, type StaffRequest } from './tracked.ts';

/** The URL is a secret: it is not logged, and the page sends no referrer. */
const PATH = '/staff/requests/:token';

const REPLY_SENT = 'Your reply is on its way to the tenant.';
const STATUS_SET = 'The status is set, and the tenant is notified.';

const BROKEN = 'The form is not as this page made it. Please open the link again.';

const form = z.object(
  {
    form: z.uuid(BROKEN),
    version: z.string(BROKEN).regex(/^\d{1,9}$/, BROKEN),
    reply: z.string(BROKEN).default(''),
    status: z.enum(['in_progress', 'done'], BROKEN).optional(),
  },
  BROKEN,
);

type Link = { Params: { token: string } };

/**
 * The pages behind links in mails. To staff: the request with its photo and history, and a form
 * to reply and to set the status. A GET changes nothing, because programs follow the links in
 * mails; a form is accepted once. `admit` limits how many run at once: whoever has one link could
 * else take all connections to the database.
 */
export function registerLinkPages(
  app: FastifyInstance,
  ctx: Context,
  admit: (pages: FastifyInstance) => void,
): void {
  void app.register((staff, _options, done) => {
    admit(staff);
    staff.removeAllContentTypeParsers();
    staff.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body))),
    );
    staff.addHook('onSend', async (_request, reply) => {
      const isPhoto = String(reply.getHeader('content-type')).startsWith('image/');
      reply.headers({
        ...LINK_HEADERS,
        'content-security-policy': isPhoto ? PHOTO_POLICY : LINK_POLICY,
      });
    });
    staff.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      const sentence = prepareRefusal(error, request, reply);
      // The pages of objections, which tenants read, are registered here too.
      return sendPage(
        reply,
        inLanguageOf(request, () => renderLinkRefusal(sentence)),
      );
    });
    registerObjectionPages(staff, ctx);
    staff.get<Link>(PATH, LINK_ROUTE, async (request, reply) => {
      const { found } = await openLink(ctx, request.params.token);
      return sendPage(reply, await pageOf(ctx, request, found));
    });
    staff.get<Link>(`${PATH}/photo`, LINK_ROUTE, async (request, reply) => {
      const { found } = await openLink(ctx, request.params.token);
      if (found.imageId === null) throw new Refusal(404, 'This request has no photo.');
      const { bytes, contentType } = await readImage(ctx, found.tenantId, found.imageId);
      return reply.type(contentType).send(bytes);
    });
    staff.post<Link>(PATH, LINK_ROUTE, async (request, reply) => {
      const { found, address } = await openLink(ctx, request.params.token);
      const { said, draft } = await take(ctx, request, found, address);
      if (!said.isGood) void reply.status(said.status);
      return sendPage(reply, await pageOf(ctx, request, found, { said, draft }));
    });
    done();
  });
}

/**
 * The request of a link and its recipient. Refuses an invalid link with 404 and an expired one with
 * 410.
 */
async function openLink(
  ctx: Context,
  token: string,
): Promise<{ found: StaffRequest; address: string }> {
  const link = readStaffLink(ctx, token);
  if (link === 'altered')
    throw new Refusal(
      404,
      'This link is not whole. Please open it from the mail again, or copy all of it.',
    );
  if (link === 'expired')
    throw new Refusal(
      410,
      `This link is too old: it worked for ${LINK_DAYS} days. Please ask the operator.`,
    );
  const found = await findStaffRequest(ctx.db, { id: link.requestId });
  const address =
    found && findAddress(ctx, link, found.facilityId, await findRecipients(ctx.db, found));
  if (found === undefined || address === undefined)
    throw new Refusal(
      410,
      'This link works no more: the address that it was mailed to does not get these requests now.',
    );
  return { found, address };
}

/** The result of a form: a refusal, shown on the page with the input, or the success. */
type Taken = {
  said: { isGood: true; text: string } | { isGood: false; text: string; status: number };
  draft: string;
};

async function take(
  ctx: Context,
  request: FastifyRequest<Link>,
  { id }: StaffRequest,
  address: string,
): Promise<Taken> {
  const read = form.safeParse(request.body ?? {});
  if (!read.success) throw new Refusal(422, read.error.issues[0]!.message);
  const { form: formId, version, reply: typed, status = null } = read.data;
  try {
    const reply = readReply(typed);
    const { isRepeated } = await actOnRequest(
      ctx,
      id,
      { reply, status },
      {
        staff: { via: 'link', author: address },
        origin: { ip: request.ip, requestId: request.id },
        form: { id: formId, version: Number(version) },
      },
    );
    if (isRepeated)
      return {
        said: refusal(409, 'This form was sent already. Nothing was done a second time.'),
        draft: '',
      };
    return { said: { isGood: true, text: reply === null ? STATUS_SET : REPLY_SENT }, draft: '' };
  } catch (error) {
    if (!(error instanceof Refusal) || ![409, 422].includes(error.status)) throw error;
    return { said: refusal(error.status, error.message), draft: typed };
  }
}

function refusal(status: number, text: string) {
  return { isGood: false, text, status } as const;
}

/** The page with the current state of the request. */
async function pageOf(
  ctx: Context,
  { params }: FastifyRequest<Link>,
  { id }: StaffRequest,
  after: Pick<StaffPage, 'said' | 'draft'> = { said: null, draft: '' },
): Promise<string> {
  const request = await findStaffRequest(ctx.db, { id });
  if (request === undefined) throw new Refusal(410, 'This request is not kept any more.');
  const photo = request.imageId === null ? null : `${params.token}/photo`;
  return renderStaffPage({
    request,
    photo,
    events: await listEvents(ctx.db, id),
    formId: randomUUID(),
    ...after,
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}
