import { runInThisContext } from 'node:vm';
import { endpoints } from '@gatehouse/contract/endpoints';
import * as guards from '@gatehouse/contract/guards';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { guardOf } from '../../vite-guards.ts';

/** The guard that the build makes of a reply's schema. */
function built(schema: z.ZodMiniType): guards.Guard {
  const make = runInThisContext(`(guards) => ${guardOf(schema)}`) as (
    given: typeof guards,
  ) => guards.Guard;
  return make(guards);
}

const wrong = [undefined, null, 7.5, 'text', true, [], {}];

/** The value with each of its parts in turn missing or of another kind. */
function* spoiled(value: unknown): Generator {
  yield* wrong;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    for (const other of spoiled(part))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

describe('the guard of a reply takes what its schema takes, and refuses what it refuses', () => {
  it.each(Object.entries(endpoints))('%s', (_, { reply, example }) => {
    const guard = built(reply);
    expect(guard(example)).toBe(true);
    let refused = 0;
    for (const value of spoiled(example)) {
      const isRight = z.safeParse(reply, value).success;
      expect(guard(value), JSON.stringify(value)).toBe(isRight);
      if (!isRight) refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('tells ids, dates and instants from other texts', () => {
    for (const schema of [z.uuid(), z.iso.date(), z.iso.datetime(), z.int()])
      for (const value of [
        '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
        '7d1f0a86-3c55-4e0a-8f5c',
        '2026-11-14',
        '2026-11-14T15:04:05.000Z',
        '2026-11-14T15:04Z',
        '2026-11-14T15:04:05',
        7,
        7.5,
      ])
        expect(built(schema)(value), String(value)).toBe(z.safeParse(schema, value).success);
  });
});

it('a schema without a guard stops the build', () => {
  expect(() => guardOf(z.union([z.string(), z.number()]))).toThrow('without a guard: union');
  expect(() => guardOf(z.string().check(z.minLength(1)))).toThrow('with checks');
  expect(() => guardOf(z.email())).toThrow('without a guard: email');
  expect(() => guardOf(z.strictObject({}))).toThrow('without a guard: object');
});
