import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { inBatches } from '#db/batches.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { LimitName } from '#config/limits.ts';
import { Refusal } from '#errors/refusal.ts';
import { networksOf } from '#http/network.ts';

/** A key to count, and its limit, of which it may do `times` as much (1 where nothing is said). */
export type Counted = { name: LimitName; key: Buffer; times?: number };

/**
 * Counts one more of each, in PostgreSQL, so that all processes share the counts. Refuses with 429
 * where a limit was reached before; refused calls count too. Counts of a transaction that is rolled
 * back are undone.
 */
export async function countLimited(
  ctx: Context,
  db: Database,
  counted: Counted[],
  sentence: string,
): Promise<void> {
  const now = ctx.clock.now();
  const { rows } = await counting(ctx, now, counted).execute(db);
  const over = usedUpOf(ctx, counted, rows);
  if (over.length > 0)
    throw tooMany(sentence, Math.max(...over.map(({ endsAt }) => secondsUntil(now, endsAt))));
}

/**
 * Counts one more of each where none is used up; otherwise counts none and returns those that are,
 * with the end of their windows. Another transaction that counts one of them waits for this one.
 */
export async function takeEach(
  ctx: Context,
  trx: DatabaseTransaction,
  now: Date,
  counted: Counted[],
): Promise<CountRow[]> {
  const { rows } = await counting(ctx, now, counted).execute(trx);
  const usedUp = usedUpOf(ctx, counted, rows);
  if (usedUp.length > 0) await giveBack(trx, counted);
  return usedUp;
}

/** Counts one less of each, which the same transaction has counted. */
export async function giveBack(trx: DatabaseTransaction, counted: Counted[]): Promise<void> {
  await sql`
    UPDATE limit_counts l SET count = l.count - 1
    FROM unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[]) AS one (name, key)
    WHERE l.name = one.name AND l.key = one.key`.execute(trx);
}

type CountRow = { name: LimitName; key: Buffer; count: number; endsAt: Date };

/** The counts that are above their limits. */
function usedUpOf(ctx: Context, counted: Counted[], rows: CountRow[]): CountRow[] {
  return counted.flatMap((one) =>
    rows.filter(
      ({ name, key, count }) =>
        name === one.name && key.equals(one.key) && count > mostOf(ctx, one),
    ),
  );
}

function mostOf({ config }: Context, { name, times = 1 }: Counted): number {
  return config.limits[name].most * times;
}

/**
 * Counts one more of each. A window begins
 * with the earliest time that it counts, because of two concurrent statements the later time may be
 * written first.
 */
function counting({ config }: Context, now: Date, counted: Counted[]): RawBuilder<CountRow> {
  return sql<CountRow>`
    INSERT INTO limit_counts AS l (name, key, count, ends_at)
    SELECT name, key, 1, ${now}::timestamptz + make_interval(secs => seconds)
    FROM unnest(${counted.map(({ name }) => name)}::text[], ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ name }) => config.limits[name].seconds)}::integer[]) AS one (name, key, seconds)
    ORDER BY name, key
    ON CONFLICT (name, key) DO UPDATE SET
      count = CASE WHEN l.ends_at <= ${now}::timestamptz THEN 1 ELSE l.count + 1 END,
      ends_at = CASE WHEN l.ends_at <= ${now}::timestamptz THEN excluded.ends_at
        ELSE least(l.ends_at, excluded.ends_at) END
    RETURNING name, key, count, ends_at AS "endsAt"`;
}

/** Deletes the counts whose window has ended. */
export async function forgetLimits({ db, clock }: Context): Promise<void> {
  await inBatches(1000, async (limit) => {
    const { rows } = await sql`
      DELETE FROM limit_counts WHERE (name, key) IN (
        SELECT name, key FROM limit_counts WHERE ends_at < ${clock.now()}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING 1`.execute(db);
    return rows.length;
  });
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
 * Counts one more of each limit for the networks of an address, the narrowest first, so that what
 * one household is refused does not use up the networks around it. Refuses with 429.
 */
export async function countByNetwork(
  ctx: Context,
  ip: string,
  names: LimitName[],
  sentence: string,
): Promise<void> {
  for (const { network, times } of networksOf(ip)) {
    const key = networkKey(ctx, network);
    await countLimited(
      ctx,
      ctx.db,
      names.map((name) => ({ name, key, times })),
      sentence,
    );
  }
}

/** The digest that identifies a network in all counts. */
export function networkKey(ctx: Context, network: string): Buffer {
  return keyOf(ctx, 'network', network);
}
