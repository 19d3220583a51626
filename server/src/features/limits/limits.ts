import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import type { LimitName } from '#limits.ts';
import { Refusal } from '#refusal.ts';

/** A key to count, and its limit. */
export type Counted = { name: LimitName; key: Buffer };

/**
 * Counts one more of each, in PostgreSQL, so that all processes share the counts (D21). Refuses
 * with 429 where a limit was reached before; refused calls count too. Counts of a transaction that
 * is rolled back are undone.
 */
export async function countLimited(ctx: Context, db: Database, counted: Counted[], sentence: string): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await counting(ctx, now, counted, {
    condition: sql`true`,
    next: sql`l.count + 1`,
  }).execute(db);
  const over = rows.filter(({ name, count }) => count > ctx.config.limits[name].most);
  if (over.length > 0) throw tooMany(sentence, Math.max(...over.map(({ endsAt }) => secondsUntil(now, endsAt))));
}

/**
 * A statement that counts one more of each while `condition` holds, and returns a row for each;
 * none where a limit is used up. Concurrent statements never exceed a limit: where one was used up
 * after the statement began, the whole statement fails with an error that `isUsedUp` recognizes.
 */
export function takeLeft(
  ctx: Context,
  now: Date,
  counted: Counted[],
  condition: RawBuilder<boolean>,
): RawBuilder<CountRow> {
  const allowed = sql`unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[],
    ${counted.map(({ name }) => ctx.config.limits[name].most)}::integer[]) AS allowed (name, key, most)`;
  const full = sql`SELECT FROM limit_counts f JOIN ${allowed} ON allowed.name = f.name AND allowed.key = f.key
    WHERE f.ends_at > ${now}::timestamptz AND f.count >= allowed.most`;
  return counting(ctx, now, counted, {
    condition: sql`${condition} AND NOT EXISTS (${full})`,
    // Null, which violates a constraint of the table.
    next: sql`CASE WHEN l.count < (
      SELECT most FROM ${allowed} WHERE allowed.name = l.name AND allowed.key = l.key) THEN l.count + 1 END`,
  });
}

/** Whether a statement failed because one of its limits was used up meanwhile. */
export function isUsedUp(error: unknown): boolean {
  const { code, table, column } = error as { code?: string; table?: string; column?: string };
  return code === '23502' && table === 'limit_counts' && column === 'count';
}

type CountRow = { name: LimitName; count: number; endsAt: Date };

/**
 * Counts one more of each; `next` is the new count of an open window's row `l`. A window begins
 * with the earliest time that it counts, because of two concurrent statements the later time may be
 * written first.
 */
function counting(
  { config }: Context,
  now: Date,
  counted: Counted[],
  { condition, next }: { condition: RawBuilder<unknown>; next: RawBuilder<unknown> },
): RawBuilder<CountRow> {
  return sql<CountRow>`
    INSERT INTO limit_counts AS l (name, key, count, ends_at)
    SELECT name, key, 1, ${now}::timestamptz + make_interval(secs => seconds)
    FROM unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ name }) => config.limits[name].seconds)}::integer[]) AS one (name, key, seconds)
    WHERE ${condition} ORDER BY name, key
    ON CONFLICT (name, key) DO UPDATE SET
      count = CASE WHEN l.ends_at <= ${now}::timestamptz THEN 1 ELSE ${next} END,
      ends_at = CASE WHEN l.ends_at <= ${now}::timestamptz THEN excluded.ends_at
        ELSE least(l.ends_at, excluded.ends_at) END
    RETURNING name, count, ends_at AS "endsAt"`;
}

const BATCH = 1000;

/** Deletes the counts whose window has ended. */
export async function forgetLimits({ db, clock }: Context): Promise<void> {
  const forgetBatch = async () => {
    const { rows } = await sql`
      DELETE FROM limit_counts WHERE (name, key) IN (
        SELECT name, key FROM limit_counts WHERE ends_at < ${clock.now()} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  };
  while ((await forgetBatch()) === BATCH);
}

/** A 429 with a `retry-after`. */
export function tooMany(sentence: string, seconds: number): Refusal {
  return new Refusal(429, sentence, seconds);
}

export function secondsUntil(now: Date, then: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));
}

/**
 * A digest that identifies a person without revealing it. The parts are delimited, so that
 * different parts never give the same digest.
 */
export function keyOf({ config }: Context, ...parts: string[]): Buffer {
  return createHmac('sha256', config.secret).update(JSON.stringify(parts)).digest();
}

/**
 * The network of an address: itself, or the first 64 bits of an IPv6 address, which belong to one
 * household (D21).
 */
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
