import {
  createCalendarFeed,
  getCalendarFeed,
  removeCalendarFeed,
} from '@gatehouse/contract/calendar-feed';
import type { FastifyError, FastifyInstance } from 'fastify';
import { ofRequest, type Context } from '#context/context.ts';
import type { Refusal } from '#errors/refusal.ts';
import { prepareRefusal } from '#http/errors.ts';
import type { Caller } from '#http/guard.ts';
import type { Routes } from '#http/routes.ts';
import { drawCalendar } from './calendar.ts';
import { createFeed, findFeed, removeFeed, type Owner } from './feeds.ts';

export function calendarFeedRoutes({ guarded }: Routes): void {
  guarded(getCalendarFeed, ({ ctx, caller, params }) => findFeed(ctx, ownerOf(caller, params)));

  guarded(createCalendarFeed, ({ ctx, caller, params, origin }) =>
    createFeed(ctx, ownerOf(caller, params), origin),
  );

  guarded(removeCalendarFeed, async ({ ctx, caller, params, origin }) => {
    await removeFeed(ctx, ownerOf(caller, params), origin);
    return { success: true as const };
  });
}

function ownerOf({ userId }: Caller, { tenantId }: { tenantId: string }): Owner {
  return { userId, tenantId };
}

/**
 * Serves the calendars to calendar apps, which sign in nowhere: `GET /calendar/{token}.ics`, as
 * text/calendar, refusals as plain text. The URL is a secret: routes are logged by pattern.
 * `admit` sheds load as it does for pages.
 */
export function registerCalendars(
  app: FastifyInstance,
  ctx: Context,
  admit: (calendars: FastifyInstance) => void,
): void {
  void app.register((calendars, _options, done) => {
    admit(calendars);
    calendars.setErrorHandler<FastifyError | Refusal>((error, request, reply) =>
      reply.type('text/plain; charset=utf-8').send(prepareRefusal(error, request, reply)),
    );
    calendars.get<{ Params: { token: string } }>(
      '/calendar/:token.ics',
      { schema: { hide: true }, config: { urgency: 'usual' } },
      async (request, reply) => {
        const calendar = await drawCalendar(
          ofRequest(ctx, request.id, request.log),
          request.params.token,
        );
        return reply
          .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
          .type('text/calendar; charset=utf-8')
          .send(calendar);
      },
    );
    done();
  });
}
