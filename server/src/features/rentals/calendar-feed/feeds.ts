import { randomUUID } from 'node:crypto';
import type { CalendarFeed } from '@gatehouse/contract/calendar-feed';
import type { Language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { calendarFeedEmail } from '#emails/calendar-feed.ts';
import { Refusal } from '#errors/refusal.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { makeLinkToken, readLinkToken, type LinkKind } from '#features/base/links/link-token.ts';
import { queueMail } from '#features/base/mail/mail.ts';

const kind: LinkKind = {
  purpose: 'calendar-feed',
  prefix: 'cal_',
  seconds: null,
  extraBytes: 0,
};

/** Whose calendar: a tenant record of a sign-in. */
export type Owner = { userId: string; tenantId: string };

/** The owner's calendar; its URL is null where there is none. */
export async function findFeed(ctx: Context, { userId, tenantId }: Owner): Promise<CalendarFeed> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .select('id')
    .where('user_id', '=', userId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return { url: row === undefined ? null : urlOf(ctx, row.id) };
}

/**
 * Makes the owner's calendar where there is none, mails that it was made, and answers with it, so
 * that a repeat changes nothing. Refuses with 429 the eleventh of a sign-in within an hour.
 */
export async function createFeed(
  ctx: Context,
  owner: Owner,
  request: AuditedRequest,
): Promise<CalendarFeed> {
  const { userId, tenantId } = owner;
  await ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      INSERT INTO calendar_feeds (id, user_id, tenant_id, created_at)
      VALUES (${randomUUID()}, ${userId}, ${tenantId}, ${ctx.clock.now()})
      ON CONFLICT (user_id, tenant_id) DO NOTHING RETURNING id`.execute(trx);
    if (rows.length === 0) return;
    await countLimited(
      ctx,
      trx,
      [{ name: 'calendar-feeds-an-hour', key: keyOf(ctx, 'calendar-feed', userId) }],
      t('You made too many calendars. Please wait an hour and try again.'),
    );
    await audit(ctx, trx, request, [{ kind: 'calendar_feed_made', userId, tenantId }]);
    const { email, ...facility } = await getContact(trx, tenantId);
    await queueMail(ctx, trx, {
      to: email,
      kind: 'security',
      tenantId,
      email: () => calendarFeedEmail(facility),
    });
  });
  return findFeed(ctx, owner);
}

/** Removes the owner's calendar, where there is one: its URL stops working for good. */
export async function removeFeed(
  ctx: Context,
  { userId, tenantId }: Owner,
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('calendar_feeds')
      .where('user_id', '=', userId)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    if (numDeletedRows > 0n)
      await audit(ctx, trx, request, [{ kind: 'calendar_feed_removed', userId, tenantId }]);
  });
}

/** The tenant record of a calendar, with what its events are read by. */
export type FeedRecord = {
  tenantId: string;
  timeZone: string;
  facilityName: string;
  operatorName: string;
  /** Of the account; null where it has none. */
  language: Language | null;
};

/**
 * The record of a URL's token. Refuses with 404 alike a token that is altered, removed, or of a
 * sign-in that no longer reaches the record, and with 429 the sixty-first read within an hour.
 */
export async function getFeedRecord(ctx: Context, token: string): Promise<FeedRecord> {
  const read = readLinkToken(ctx, kind, token);
  if (typeof read === 'string') throw noFeed();
  // The conditions of the guard (http/guard.ts).
  const { rows } = await sql<FeedRecord>`
    SELECT t.id AS "tenantId", f.time_zone AS "timeZone", f.name AS "facilityName", c.name AS "operatorName",
      u.language
    FROM calendar_feeds feed
    JOIN users u ON u.id = feed.user_id AND u.disabled_at IS NULL
    JOIN user_tenants ut ON ut.user_id = u.id AND ut.tenant_id = feed.tenant_id
    JOIN tenants t ON t.id = feed.tenant_id AND lower(t.email) = lower(u.email)
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations c ON c.id = f.corporation_id
    WHERE feed.id = ${read.id}`.execute(ctx.db);
  const [record] = rows;
  if (record === undefined) throw noFeed();
  await countLimited(
    ctx,
    ctx.db,
    [{ name: 'calendar-reads-an-hour', key: keyOf(ctx, 'calendar-read', read.id) }],
    t('This calendar was read too often. Please try again later.'),
  );
  return record;
}

function noFeed(): Refusal {
  return new Refusal(404, t('There is no calendar here. It may have been removed.'));
}

function urlOf(ctx: Context, id: string): string {
  return `${ctx.config.publicUrl}/calendar/${makeLinkToken(ctx, kind, id)}.ics`;
}

/** The address of a tenant record, and its facility. */
async function getContact(
  db: Database,
  tenantId: string,
): Promise<{ email: string; name: string; phone: string | null }> {
  return db
    .selectFrom('tenants')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select(['tenants.email', 'facilities.name', 'facilities.phone'])
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow();
}
