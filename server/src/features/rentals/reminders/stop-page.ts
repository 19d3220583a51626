import type { ReminderKind } from '@gatehouse/contract/reminders';
import { t } from '@gatehouse/language/t';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createElement as h } from 'react';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import {
  document,
  LINK_ROUTE,
  registerLinkPages,
  sendPage,
} from '#features/base/links/link-page.ts';
import { stopReminders } from './choices.ts';
import { readStopToken } from './stop-links.ts';

const PATH = '/reminders/:token';

type Link = { Params: { token: string } };

/**
 * The page behind the link in a reminder by which reminders of its kind are stopped, without a
 * sign-in. A POST stops them, with whatever body: the page's form has none, and the button of a
 * mail program sends one of its own (RFC 8058). `admit` limits how many run at once.
 */
export function registerStopPages(
  app: FastifyInstance,
  ctx: Context,
  admit: (pages: FastifyInstance) => void,
): void {
  registerLinkPages(app, admit, (pages) => {
    pages.get<Link>(PATH, LINK_ROUTE, async (request, reply) =>
      sendPage(reply, renderStopPage(await openLink(ctx, request))),
    );
    pages.post<Link>(PATH, LINK_ROUTE, async (request, reply) => {
      const stop = await openLink(ctx, request);
      const { tenantId, kind } = stop;
      const origin = { ip: request.ip, requestId: request.id };
      await stopReminders(ctx, { tenantId, userId: null, kind }, origin);
      return sendPage(reply, renderStopPage({ ...stop, isStopped: true }));
    });
  });
}

/** What the page says of: a kind of reminders of a tenant record, which it does not name. */
type Stop = { tenantId: string; kind: ReminderKind; facilityName: string; isStopped: boolean };

/**
 * What a link stops. Refuses with 404 alike one that is altered and one of no tenant record, and
 * with 429 too many calls from one network.
 */
async function openLink(ctx: Context, { params, ip }: FastifyRequest<Link>): Promise<Stop> {
  await countByNetwork(
    ctx,
    ip,
    ['stop-link-calls-a-minute', 'stop-link-calls-an-hour'],
    t('There were too many tries from your network. Please wait a moment and try again.'),
  );
  const link = readStopToken(ctx, params.token);
  const tenant =
    link &&
    (await ctx.db
      .selectFrom('tenants as t')
      .innerJoin('facilities as f', 'f.id', 't.facility_id')
      .leftJoin('reminder_stops as s', (join) =>
        join.onRef('s.tenant_id', '=', 't.id').on('s.kind', '=', link.kind),
      )
      .select(['f.name', 's.stopped_at as stoppedAt'])
      .where('t.id', '=', link.tenantId)
      .executeTakeFirst());
  if (link === null || tenant == null)
    throw new Refusal(
      404,
      t('This link is not whole. Please open it from the email again, or copy all of it.'),
    );
  return { ...link, facilityName: tenant.name, isStopped: tenant.stoppedAt !== null };
}

const whats: Record<ReminderKind, () => string> = {
  rent_soon: () => t('rent that is due in a few days'),
  rent_today: () => t('rent that is due on the day'),
  gate_soon: () => t('a gate that is about to close'),
};

function renderStopPage({ kind, facilityName, isStopped }: Stop): string {
  const what = whats[kind]();
  const title = t('Reminders · {facilityName}', { facilityName });
  return isStopped
    ? document(
        title,
        h('p', { className: 'muted' }, facilityName),
        h('h1', null, t('These reminders are stopped')),
        h(
          'p',
          { className: 'said good', role: 'status' },
          t('You get no more emails about {what}.', { what }),
        ),
        h(
          'p',
          { className: 'card' },
          t(
            'Receipts, notices and other emails still come. To get these reminders again, sign in and open Account Management.',
          ),
        ),
      )
    : document(
        title,
        h('p', { className: 'muted' }, facilityName),
        h('h1', null, t('Stop these reminders?')),
        h(
          'section',
          { className: 'card' },
          h(
            'p',
            null,
            t('You then get no more emails about {what}. Receipts and notices still come.', {
              what,
            }),
          ),
          h('form', { method: 'post' }, h('button', null, t('Stop these reminders'))),
        ),
        h('p', { className: 'card' }, t('If you want to keep them, close this page.')),
      );
}
