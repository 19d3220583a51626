import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';
import { takeLeft, tooMany, type Counted } from '#features/limits/limits.ts';
import type { Effects } from '#features/ledgers/postings.ts';
import type { Refusal } from '#refusal.ts';

const OF_TENANT = 'declines-an-hour';
const OF_METHOD = 'declines-of-a-method-a-day';

/**
 * Who tries cards to find those that work is told no by the bank again and again (T22): 5 declines an hour of a tenant, 10 a
 * day of a saved method. A charge counts as a decline from its beginning, or many at once would be more; what does not end
 * as one is given back. What autopay charges does not count.
 */
export function declinesOf(tenantId: string, methodId: string | null): Counted[] {
  const ofTenant: Counted = { name: OF_TENANT, key: bytesOf(tenantId) };
  return methodId === null ? [ofTenant] : [ofTenant, { name: OF_METHOD, key: bytesOf(methodId) }];
}

/**
 * 429: nothing was charged. Where payments of the tenant are under way it is these that may still be declined, and a moment
 * later there is room again.
 */
export async function tooManyDeclines({ db }: Context, tenantId: string): Promise<Refusal> {
  const underWay = await db
    .selectFrom('payment_intents')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['submitted', 'unknown'])
    .limit(1)
    .executeTakeFirst();
  return underWay === undefined
    ? tooMany('There were too many declined payments. Please try again in an hour, or call the facility.', 3600)
    : tooMany('Other payments of yours are under way. Please try again in a moment.', 5);
}

/** For a try that has no intent: counts it in a statement of its own. Refuses with 429. */
export async function countDecline(ctx: Context, tenantId: string): Promise<void> {
  const { rows } = await takeLeft(ctx, declinesOf(tenantId, null), sql<boolean>`true`).execute(ctx.db);
  if (rows.length === 0) throw await tooManyDeclines(ctx, tenantId);
}

/** The try of `countDecline` was no decline. */
export async function uncountDecline(ctx: Context, tenantId: string): Promise<void> {
  const used = sql`(SELECT ${OF_TENANT}::text AS name, ${bytesOf(tenantId)}::bytea AS key)`;
  await giveBack(ctx.clock.now(), used).execute(ctx.db);
}

/** What an intent took when it began, given back where `gate` says that it did not end as a decline. */
export function givenBack(now: Date): Effects {
  return [
    giveBack(
      now,
      sql`(SELECT one.name, one.key FROM gate JOIN payment_intents i ON i.id = gate.id,
        LATERAL (VALUES (${OF_TENANT}, uuid_send(i.tenant_id)), (${OF_METHOD}, uuid_send(i.payment_method_id))) AS one (name, key)
        WHERE i.initiator = 'tenant' AND gate.state <> 'declined')`,
    ),
  ];
}

function giveBack(now: Date, used: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`UPDATE limit_counts AS l SET count = l.count - 1 FROM ${used} AS used
    WHERE l.name = used.name AND l.key = used.key AND l.count > 0 AND l.ends_at > ${now}::timestamptz`;
}

/** As uuid_send of PostgreSQL has it. */
function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

const ALARMING = { declines: 20, minutes: 60 };

/**
 * Tells the operator, once an hour, that more payments of tenants are declined than not, and many: cards are being tried in
 * many names (T22).
 */
export async function watchDeclines(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ declined: number; total: number }>`
    SELECT count(*) FILTER (WHERE state = 'declined') AS declined, count(*) AS total FROM payment_intents
    WHERE initiator = 'tenant' AND created_at > ${now}::timestamptz - make_interval(mins => ${ALARMING.minutes})`.execute(
    ctx.db,
  );
  const { declined, total } = rows[0]!;
  if (declined < ALARMING.declines || declined * 2 <= total) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'decline_rate',
    key: `decline_rate ${now.toISOString().slice(0, 13)}`,
    facilityId: null,
    sentence: `${declined} of the last hour’s ${total} payments by tenants were declined: somebody may be trying cards.`,
    facts: { declined, total },
  });
}
