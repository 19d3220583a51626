import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { Statement } from './record.ts';

/** What a request brings along that reaches the database. */
export type Inputs = Record<string, string | Buffer>;

/** One request as it was recorded: what it brought along, and what it sent to PostgreSQL. */
export type Recording = { inputs: Inputs; statements: Statement[] };

/** Sends a request's statements through a pool; answers the last rows. */
export type Replay = (pool: Pool, inputs: Inputs) => Promise<unknown[]>;

type Run = { inputs: Inputs; results: Record<string, unknown>[][]; made: unknown[] };
type Value = (run: Run) => unknown;
type Pair = [unknown, unknown];

/**
 * The statements of a route with the parameters of any request, from two recordings of it that
 * differ in everything a request brings along. What is equal in both is a constant; what differs
 * came with the request, from a row read before, or was made on the way (an id, a hash, the time).
 * Throws for a value that it cannot explain, so the baseline never quietly does less than the real
 * route.
 */
export function deriveReplay([one, other]: [Recording, Recording]): Replay {
  const shape = ({ statements }: Recording) => statements.map(({ sql }) => sql);
  if (one.statements.length === 0) throw new Error('the recording holds no statement');
  if (!isDeepStrictEqual(shape(one), shape(other)))
    throw new Error('two recordings of one route differ in statements');
  const made: Pair[] = [];
  const steps = one.statements.map(({ sql, name, parameters }, index) => ({
    query: { text: sql, ...(name !== undefined && { name }) },
    isAwaited: !isSentAhead(one.statements, index),
    values: parameters.map((value, place) => {
      const pair: Pair = [value, other.statements[index]!.parameters[place]];
      const source = explain(pair, [one, other], index, made);
      if (source === undefined)
        throw new Error(`parameter ${place + 1} of this statement is unexplained: ${sql}`);
      return source;
    }),
  }));
  return (pool, inputs) => replay(pool, steps, { inputs, results: [], made: [] });
}

/** Whether the next statement was sent before this one was answered: one round trip takes both. */
export function isSentAhead(statements: Statement[], index: number): boolean {
  const next = statements[index + 1];
  return next !== undefined && next.sentAt < statements[index]!.answeredAt;
}

type Step = { query: QueryConfig; values: Value[]; isAwaited: boolean };

/**
 * Takes a connection for each statement outside a transaction, as Kysely does on the real side, and
 * sends together what the real side sends together.
 */
async function replay(pool: Pool, steps: Step[], run: Run): Promise<unknown[]> {
  let client: PoolClient | undefined;
  let isInTransaction = false;
  try {
    let ahead: Promise<unknown>[] = [];
    for (const [index, { query, values, isAwaited }] of steps.entries()) {
      client ??= await pool.connect();
      if (/^(begin|start transaction)\b/.test(query.text)) isInTransaction = true;
      const answer = client.query<Record<string, unknown>>({
        ...query,
        values: values.map((value) => value(run)),
      });
      ahead.push(answer.then(({ rows }) => (run.results[index] = rows)));
      if (!isAwaited) continue;
      await Promise.all(ahead);
      ahead = [];
      if (query.text === 'commit') isInTransaction = false;
      if (isInTransaction) continue;
      client.release();
      client = undefined;
    }
  } catch (error) {
    client?.release(true);
    throw error;
  }
  return run.results.at(-1)!;
}

/** Where a parameter's value comes from; `made` collects the values that were made on the way. */
function explain(
  [a, b]: Pair,
  recordings: [Recording, Recording],
  index: number,
  made: Pair[],
): Value | undefined {
  if (a instanceof Date && b instanceof Date) return () => testClock.now();
  if (isDeepStrictEqual(a, b)) return () => a;
  return (
    explainInput([a, b], recordings) ??
    explainRow([a, b], recordings, index) ??
    explainParts([a, b], (part) => explain(part, recordings, index, made)) ??
    explainMade([a, b], made)
  );
}

function explainInput([a, b]: Pair, [one, other]: [Recording, Recording]): Value | undefined {
  const names = Object.keys(one.inputs);
  const name = names.find(
    (key) => isDeepStrictEqual(one.inputs[key], a) && isDeepStrictEqual(other.inputs[key], b),
  );
  return name === undefined ? undefined : ({ inputs }) => inputs[name];
}

/**
 * A value that both recordings read at the same place of an earlier answer, or a number so far from
 * one read there.
 */
function explainRow(
  [a, b]: Pair,
  [one, other]: [Recording, Recording],
  index: number,
): Value | undefined {
  for (const [at, { rows }] of one.statements.slice(0, index).entries())
    for (const { path, value } of placesOf(rows))
      if (
        isDeepStrictEqual(value, a) &&
        isDeepStrictEqual(valueAt(other.statements[at]!.rows, path), b)
      )
        return ({ results }) => valueAt(results[at], path);
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  for (const [at, { rows }] of one.statements.slice(0, index).entries())
    for (const { path, value } of placesOf(rows)) {
      const counterpart = valueAt(other.statements[at]!.rows, path);
      // What both read alike says nothing about how it becomes what differs.
      if (typeof value !== 'number' || typeof counterpart !== 'number' || value === counterpart)
        continue;
      if (a - value === b - counterpart)
        return ({ results }) => Number(valueAt(results[at], path) ?? 0) + (a - value);
    }
  return undefined;
}

type Place = { path: string[]; value: unknown };

/** Every value in rows, also inside the lists and objects of a column. */
function placesOf(value: unknown, path: string[] = []): Place[] {
  if (!isContainer(value) || value instanceof Date) return [{ path, value }];
  return Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]));
}

function valueAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return value;
  return isContainer(value) ? valueAt(value[key], rest) : undefined;
}

/** Lists, objects and JSON text, part by part. */
function explainParts(
  [a, b]: Pair,
  explainPart: (pair: Pair) => Value | undefined,
): Value | undefined {
  if (typeof a === 'string' && typeof b === 'string' && /^[[{]/.test(a) && /^[[{]/.test(b)) {
    const parts = explainParts([JSON.parse(a), JSON.parse(b)], explainPart);
    return parts && ((run) => JSON.stringify(parts(run)));
  }
  if (!isContainer(a) || !isContainer(b) || !isDeepStrictEqual(Object.keys(a), Object.keys(b)))
    return undefined;
  const entries = Object.keys(a).map((key) => [key, explainPart([a[key], b[key]])] as const);
  if (entries.some(([, value]) => value === undefined)) return undefined;
  const isList = Array.isArray(a);
  return (run) => {
    const parts = entries.map(([key, value]) => [key, value!(run)] as const);
    return isList ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  };
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
}

/**
 * A random id or hash: generated for each request, and the same wherever the request uses it again.
 */
function explainMade([a, b]: Pair, made: Pair[]): Value | undefined {
  const make = makerOf(a, b);
  if (make === undefined) return undefined;
  const known = made.findIndex((pair) => isDeepStrictEqual(pair, [a, b]));
  const at = known < 0 ? made.push([a, b]) - 1 : known;
  return (run) => (run.made[at] ??= make());
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function makerOf(a: unknown, b: unknown): (() => unknown) | undefined {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.length === b.length)
    return () => randomBytes(a.length);
  if (typeof a === 'string' && typeof b === 'string' && UUID.test(a) && UUID.test(b))
    return () => randomUUID();
  return undefined;
}
