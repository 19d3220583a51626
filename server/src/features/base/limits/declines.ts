import { createHash } from 'node:crypto';
import { t } from '@gatehouse/language/t';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { secondsUntil, takeEach, tooMany, type Counted } from './limits.ts';

const OF_TENANT = 'declines-an-hour';
const OF_LINK = 'declines-of-a-pay-link-an-hour';
const OF_LINKS = 'declines-of-pay-links-an-hour';
const OF_METHOD = 'declines-of-a-method-a-day';

/**
 * The card or account under which declines are counted: its fingerprint, or else the saved method;
 * neither for a new one.
 */
type Method = { fingerprint: string | null; methodId: string | null };

/** Whose debt is paid, and the link by whose holder it is; none for the tenant's own session. */
type Payer = { tenantId: string; payLinkId?: string | undefined };

/**
 * The limits against card testing: 5 declines an hour of a tenant, 10 a day of a card or account of
 * the tenant, however often it is entered. Those by a pay link, whose holder may be anybody, are of
 * the link, 5 an hour, and of all links of the tenant, 10 an hour. A charge counts as a decline
 * from its beginning, so that concurrent ones cannot exceed the limit, and is deducted if it ends
 * otherwise. Refused payments and charges by autopay do not count.
 */
function declinesOf({ tenantId, payLinkId }: Payer, method: Method): Counted[] {
  const ofPayer: Counted[] =
    payLinkId === undefined
      ? [{ name: OF_TENANT, key: bytesOf(tenantId) }]
      : [
          { name: OF_LINK, key: bytesOf(payLinkId) },
          { name: OF_LINKS, key: bytesOf(tenantId) },
        ];
  const key = keyOfMethod(tenantId, method);
  return key === null ? ofPayer : [...ofPayer, { name: OF_METHOD, key }];
}

function keyOfMethod(tenantId: string, { fingerprint, methodId }: Method): Buffer | null {
  if (fingerprint !== null)
    return createHash('sha256').update(`${tenantId}|${fingerprint}`).digest();
  return methodId === null ? null : bytesOf(methodId);
}

/** `declinesOf` an intent `i`, in SQL: rows of name and key, which is null for none. */
const declinesOfIntent = sql`(
  SELECT one.name, one.key
  FROM (VALUES ((SELECT p.pay_link_id FROM pay_link_payments p WHERE p.intent_id = i.id))) AS by (link),
    LATERAL (VALUES
      (CASE WHEN by.link IS NULL THEN ${OF_TENANT} ELSE ${OF_LINKS} END, uuid_send(i.tenant_id)),
      (${OF_LINK}, uuid_send(by.link)),
      (${OF_METHOD}, CASE WHEN i.fingerprint IS NULL THEN uuid_send(i.payment_method_id)
        ELSE sha256(convert_to(i.tenant_id || '|' || i.fingerprint, 'UTF8')) END)) AS one (name, key))`;

const tooManyDeclined = () =>
  t('There were too many declined payments. Please try again in an hour, or call the facility.');
const sentences = {
  [OF_TENANT]: tooManyDeclined,
  [OF_LINK]: tooManyDeclined,
  [OF_LINKS]: tooManyDeclined,
  [OF_METHOD]: () =>
    t(
      'There were too many declined payments with this card or account. Please use another one, or call the facility.',
    ),
};

/**
 * Counts a payment that begins in this transaction, at the time of its intent. Refuses with 429
 * where a limit is used up: nothing was charged. Where payments in progress use the rest of the
 * limit, they may still be deducted, so the tenant may retry a moment later.
 */
export async function countAttempt(
  ctx: Context,
  trx: DatabaseTransaction,
  now: Date,
  payer: Payer,
  method: Method,
): Promise<void> {
  const counted = declinesOf(payer, method);
  const usedUp = await takeEach(ctx, trx, now, counted);
  if (usedUp.length === 0) return;
  const { rows } = await sql<{ name: keyof typeof sentences; endsAt: Date; declined: number }>`
    SELECT l.name, l.ends_at AS "endsAt", l.count - (
      SELECT count(*) FROM payment_intents i, LATERAL ${declinesOfIntent} AS begun
      WHERE i.tenant_id = ${payer.tenantId} AND i.initiator = 'tenant' AND i.state IN ('submitted', 'unknown')
        AND begun.name = l.name AND begun.key = l.key) AS declined
    FROM limit_counts l
    JOIN unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[]) AS one (name, key)
      ON one.name = l.name AND one.key = l.key
    WHERE l.ends_at > ${now}::timestamptz ORDER BY l.name`.execute(trx);
  const full = rows.find(({ name, declined }) => declined >= ctx.config.limits[name].most);
  throw full === undefined
    ? tooMany(t('Other payments of yours are under way. Please try again in a moment.'), 5)
    : tooMany(sentences[full.name](), secondsUntil(now, full.endsAt));
}

/** A card or account that is to be saved: it counts for its tenant only. */
const NEW: Method = { fingerprint: null, methodId: null };

/**
 * Counts a try without an intent in a transaction of its own, and returns its time. Refuses with
 * 429.
 */
export async function countDecline(ctx: Context, tenantId: string): Promise<Date> {
  const now = ctx.clock.now();
  await ctx.db.transaction().execute((trx) => countAttempt(ctx, trx, now, { tenantId }, NEW));
  return now;
}

/** A statement that deducts what `countDecline` counted at `triedAt`, because it was no decline. */
export function uncountDecline(ctx: Context, tenantId: string, triedAt: Date): RawBuilder<unknown> {
  return giveBack(
    ctx,
    sql`SELECT ${OF_TENANT}::text AS name, ${bytesOf(tenantId)}::bytea AS key, ${triedAt}::timestamptz AS at`,
  );
}

/**
 * Deducts what a tenant's payment counted at its beginning, because it did not end as a decline.
 */
export async function uncountAttempt(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
): Promise<void> {
  await giveBack(
    ctx,
    sql`SELECT begun.name, begun.key, i.created_at AS at
        FROM payment_intents i, LATERAL ${declinesOfIntent} AS begun WHERE i.id = ${intentId}`,
  ).execute(trx);
}

/** Only from the window in which it was counted, and locked in the order of counting. */
function giveBack({ config, clock }: Context, taken: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = [OF_TENANT, OF_LINK, OF_LINKS, OF_METHOD] as const;
  return sql`UPDATE limit_counts AS l SET count = l.count - 1
    FROM (
      SELECT held.name, held.key FROM limit_counts held
      JOIN (${taken}) AS taken ON held.name = taken.name AND held.key = taken.key
      JOIN unnest(${names}::text[], ${names.map((name) => config.limits[name].seconds)}::integer[]) AS lasts (name, seconds)
        ON lasts.name = held.name
      WHERE held.count > 0 AND held.ends_at > ${clock.now()}::timestamptz
        AND held.ends_at - make_interval(secs => lasts.seconds) <= taken.at
      ORDER BY held.name, held.key FOR UPDATE OF held
    ) AS held
    WHERE l.name = held.name AND l.key = held.key`;
}

/** In the format of PostgreSQL's uuid_send. */
function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

const ALARMING = { declines: 20, minutes: 60 };

/**
 * Raises an alarm, once an hour, when many payments and new methods of tenants are declined and
 * they are the majority: cards are being tested under many names. A method that the gateway refuses
 * to save leaves only its count: the tenant's declines beyond the counted payments in the portal.
 */
export async function watchDeclines(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const since = sql`${now}::timestamptz - make_interval(mins => ${ALARMING.minutes})`;
  const { rows } = await sql<{
    declined: number;
    total: number;
    refused: number;
    kept: number;
  }>`
    WITH paid AS (
      SELECT tenant_id, count(*) AS total, count(*) FILTER (WHERE state = 'declined') AS declined,
        count(*) FILTER (WHERE state IN ('declined', 'submitted', 'unknown')
          AND NOT EXISTS (SELECT FROM pay_link_payments p WHERE p.intent_id = i.id)) AS counted
      FROM payment_intents i WHERE initiator = 'tenant' AND created_at > ${since} GROUP BY tenant_id
    )
    SELECT (SELECT coalesce(sum(declined), 0)::integer FROM paid) AS declined,
      (SELECT coalesce(sum(total), 0)::integer FROM paid) AS total,
      (SELECT coalesce(sum(greatest(l.count - coalesce(paid.counted, 0), 0)), 0)::integer
        FROM limit_counts l LEFT JOIN paid ON uuid_send(paid.tenant_id) = l.key
        WHERE l.name = ${OF_TENANT} AND l.ends_at > ${now}::timestamptz) AS refused,
      (SELECT count(*)::integer FROM payment_methods WHERE created_at > ${since}) AS kept`.execute(
    ctx.db,
  );
  const { refused, kept, ...payments } = rows[0]!;
  const declined = payments.declined + refused;
  const total = payments.total + refused + kept;
  if (declined < ALARMING.declines || declined * 2 <= total) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'decline_rate',
    key: `decline_rate ${now.toISOString().slice(0, 13)}`,
    facilityId: null,
    sentence: `${declined} of the last hour’s ${total} payments and new payment methods of tenants were declined: this may be card testing.`,
    facts: { declined, total },
  });
}
