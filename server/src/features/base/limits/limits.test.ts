import { beforeAll, describe, expect, test } from 'vitest';
import { limits, readLimits } from '#config/limits.ts';
import { Refusal } from '#errors/refusal.ts';
import { useTestApp } from '#test/app.ts';
import { countByNetwork, countLimited, keyOf } from './limits.ts';

const api = useTestApp('empty_template', { clock: { now: () => now } });
let now = new Date('2026-11-21T12:00:00Z');
beforeAll(() => {
  api.ctx.config = { ...api.ctx.config, limits };
});

const count = (key: string) =>
  countLimited(
    api.ctx,
    api.ctx.db,
    [{ name: 'codes-in-ten-minutes', key: keyOf(api.ctx, key) }],
    'Too often.',
  );

describe('a limit', () => {
  test('allows a number of calls, then refuses with a retry-after, and starts again after its window', async () => {
    for (let nth = 0; nth < 3; nth++) await count('one');
    now = new Date('2026-11-21T12:04:00Z');
    await expect(count('one')).rejects.toMatchObject({
      status: 429,
      message: 'Too often.',
      retryAfterSeconds: 360,
    });
    await count('another');
    now = new Date('2026-11-21T12:10:00Z');
    await count('one');
  });

  test('holds for concurrent calls', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => count('many')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(Refusal);
  });

  test('counts nothing in a transaction that is rolled back', async () => {
    for (let nth = 0; nth < 5; nth++)
      await api.ctx.db
        .transaction()
        .execute(async (trx) => {
          await countLimited(
            api.ctx,
            trx,
            [{ name: 'codes-in-ten-minutes', key: keyOf(api.ctx, 'back') }],
            'Too often.',
          );
          throw new Error('the rest failed');
        })
        .catch(() => undefined);
    await count('back');
  });
});

describe('the networks of an address', () => {
  /** How many of the calls are allowed, where one network has three. */
  const allowed = async (count: number, address: (nth: string) => string) => {
    let made = 0;
    for (let nth = 0; nth < count; nth++)
      await countByNetwork(
        api.ctx,
        address(nth.toString(16)),
        ['codes-in-ten-minutes'],
        'Too often.',
      ).then(
        () => (made += 1),
        () => undefined,
      );
    return made;
  };

  test('of IPv6 may do 1, 4 and 16 times as much: a /48 is not 65,536 networks', async () => {
    expect(await allowed(10, (nth) => `2001:db8:a:1::${nth}`)).toBe(3);
    expect(await allowed(30, (nth) => `2001:db8:b:${nth}::1`)).toBe(12);
    expect(await allowed(100, (nth) => `2001:db8:c:${nth}00::1`)).toBe(48);
    expect(await allowed(20, (nth) => `2001:db8:d${nth}::1`)).toBe(20);
  });

  test('are not used up by what one of their households is refused', async () => {
    expect(await allowed(100, (nth) => `2001:db8:e:1::${nth}`)).toBe(3);
    expect(await allowed(3, (nth) => `2001:db8:e:2::${nth}`)).toBe(3);
  });
});

describe('LIMITS', () => {
  test('changes the numbers that it names', () => {
    expect(readLimits(' sign-ins-a-minute = 7, codes-an-hour=2')).toEqual({
      ...limits,
      'sign-ins-a-minute': { most: 7, seconds: 60 },
      'codes-an-hour': { most: 2, seconds: 3600 },
    });
    expect(readLimits('')).toEqual(limits);
  });

  test.each([
    'sign-ins=3',
    'codes-an-hour=0',
    'codes-an-hour=-1',
    'codes-an-hour=1.5',
    'codes-an-hour',
    'toString=3',
  ])('refuses %s', (text) => {
    expect(readLimits(text)).toBeNull();
  });
});
