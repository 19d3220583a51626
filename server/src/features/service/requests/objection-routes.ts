import { t } from '@gatehouse/language/t';
import type { FastifyInstance } from 'fastify';
import { createElement as h } from 'react';
import type { Context } from '#context/context.ts';
import { howToAsk } from '#emails/call-facility.ts';
import { Refusal } from '#errors/refusal.ts';
import {
  document,
  LINK_ROUTE,
  registerLinkPages,
  sendPage,
} from '#features/base/links/link-page.ts';
import { getObjectionable, OBJECTION_DAYS, objectTo, readObjectionLink } from './objections.ts';
import type { StaffRequest } from './tracked.ts';

const PATH = '/objections/:token';

type Link = { Params: { token: string } };

/** The page behind the link in a mail to a tenant whose email address is asked to be changed. */
export function registerObjectionPages(
  app: FastifyInstance,
  ctx: Context,
  admit: (pages: FastifyInstance) => void,
): void {
  registerLinkPages(app, admit, (pages) => {
    pages.get<Link>(PATH, LINK_ROUTE, async (request, reply) => {
      const found = await getObjectionable(ctx.db, requestIdOf(ctx, request.params.token));
      return sendPage(
        reply,
        found.isObjected ? closedPage(found.request) : questionPage(found.request),
      );
    });
    pages.post<Link>(PATH, LINK_ROUTE, async (request, reply) => {
      const requestId = requestIdOf(ctx, request.params.token);
      await objectTo(ctx, requestId, { ip: request.ip, requestId: request.id });
      const { request: closed } = await getObjectionable(ctx.db, requestId);
      return sendPage(reply, closedPage(closed));
    });
  });
}

function requestIdOf(ctx: Context, token: string): string {
  const link = readObjectionLink(ctx, token);
  if (link === 'altered')
    throw new Refusal(
      404,
      t('This link is not whole. Please open it from the email again, or copy all of it.'),
    );
  if (link === 'expired')
    throw new Refusal(
      410,
      t('This link is too old: it worked for {days} days. Please call the facility.', {
        days: OBJECTION_DAYS,
      }),
    );
  return link.requestId;
}

function questionPage({ reference, facilityName }: StaffRequest): string {
  return document(
    `${reference} · ${facilityName}`,
    h('p', { className: 'muted' }, facilityName),
    h('h1', null, t('Did you ask for another email address?')),
    h('p', { className: 'muted' }, reference),
    h(
      'section',
      { className: 'card' },
      h(
        'p',
        null,
        t(
          'If you did not, stop it here: the facility is asked to keep your record as it is, and every device that is signed in as you is signed out.',
        ),
      ),
      h('form', { method: 'post' }, h('button', null, t('I did not ask for this'))),
    ),
    h('p', { className: 'card' }, t('If you did ask, close this page: nothing else is needed.')),
  );
}

function closedPage(request: StaffRequest): string {
  const facility = { name: request.facilityName, phone: request.facilityPhone };
  return document(
    `${request.reference} · ${request.facilityName}`,
    h('p', { className: 'muted' }, request.facilityName),
    h('h1', null, t('Your objection is recorded')),
    h(
      'p',
      { className: 'said good', role: 'status' },
      t(
        'The facility was asked to keep your record as it is ({reference}). Every device is signed out.',
        { reference: request.reference },
      ),
    ),
    h(
      'p',
      { className: 'card' },
      t(
        'Choose a new password with “Forgot password” on the sign-in page now. If your email address was changed already, {ask}.',
        { ask: howToAsk(facility) },
      ),
    ),
  );
}
