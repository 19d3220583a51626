import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import type { LimitName } from '#limits.ts';
import { Refusal } from '#refusal.ts';

/** Who or what is counted, under which limit. */
export type Counted = { name: LimitName; key: Buffer };

/**
 * Counts one more of each, in PostgreSQL, so that all processes share the numbers (D21). Refuses with 429 where one of them
 * was reached before; what is refused counts too. In a transaction that is rolled back nothing is counted.
 */
export async function countLimited(ctx: Context, db: Database, counted: Counted[], sentence: string): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ name: LimitName; count: number; endsAt: Date }>`
    INSERT INTO limit_counts AS l (name, key, count, ends_at)
    SELECT name, key, 1, ${now}::timestamptz + make_interval(secs => seconds)
    FROM unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ name }) => ctx.config.limits[name].seconds)}::integer[]) AS one (name, key, seconds)
    ORDER BY name, key
    ON CONFLICT (name, key) DO UPDATE SET
      count = CASE WHEN l.ends_at <= ${now}::timestamptz THEN 1 ELSE l.count + 1 END,
      ends_at = CASE WHEN l.ends_at <= ${now}::timestamptz THEN excluded.ends_at ELSE l.ends_at END
    RETURNING name, count, ends_at AS "endsAt"`.execute(db);
  const over = rows.filter(({ name, count }) => count > ctx.config.limits[name].most);
  if (over.length > 0) throw tooMany(sentence, Math.max(...over.map(({ endsAt }) => secondsUntil(now, endsAt))));
}

/**
 * A statement that counts one more of each that is not used up, while `condition` holds, and answers a row for each that it
 * counted. Of many at once no more get one than are left.
 */
export function takeLeft(ctx: Context, counted: Counted[], condition: RawBuilder<boolean>): RawBuilder<unknown> {
  const now = ctx.clock.now();
  const limits = counted.map(({ name }) => ctx.config.limits[name]);
  return sql`
    INSERT INTO limit_counts AS l (name, key, count, ends_at)
    SELECT name, key, 1, ${now}::timestamptz + make_interval(secs => seconds)
    FROM unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[],
      ${limits.map(({ seconds }) => seconds)}::integer[]) AS one (name, key, seconds)
    WHERE ${condition} ORDER BY name, key
    ON CONFLICT (name, key) DO UPDATE SET
      count = CASE WHEN l.ends_at <= ${now}::timestamptz THEN 1 ELSE l.count + 1 END,
      ends_at = CASE WHEN l.ends_at <= ${now}::timestamptz THEN excluded.ends_at ELSE l.ends_at END
    WHERE l.ends_at <= ${now}::timestamptz OR l.count < (
      SELECT most FROM unnest(${counted.map(({ name }) => name)}::text[], ${limits.map(({ most }) => most)}::integer[])
        AS allowed (name, most) WHERE allowed.name = l.name)
    RETURNING name`;
}

/** Drops the counts whose window is over. */
export async function forgetLimits({ db, clock }: Context): Promise<void> {
  await db.deleteFrom('limit_counts').where('ends_at', '<', clock.now()).execute();
}

/** 429 with the time to come again. */
export function tooMany(sentence: string, seconds: number): Refusal {
  return new Refusal(429, sentence, seconds);
}

export function secondsUntil(now: Date, then: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));
}

/** A digest that names somebody without saying who. The parts are told apart whatever they hold. */
export function keyOf({ config }: Context, ...parts: string[]): Buffer {
  return createHmac('sha256', config.secret).update(JSON.stringify(parts)).digest();
}

/** The network that an address stands for: itself, or of IPv6 the first 64 bits, which are one household's (D21). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const { hostname } = new URL(`http://[${ip.replace(/%.*$/, '')}]/`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const start = head.split(':').filter(Boolean);
  const end = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}
