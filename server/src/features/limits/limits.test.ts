import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits, readLimits } from '#limits.ts';
import { Refusal } from '#refusal.ts';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { countLimited, keyOf, networkOf } from './limits.ts';

let api: TestApp;
let now = new Date('2026-11-21T12:00:00Z');
beforeAll(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => now } });
  api.ctx.config = { ...api.ctx.config, limits };
});
afterAll(() => api.close());

const count = (key: string) =>
  countLimited(api.ctx, api.ctx.db, [{ name: 'codes-in-ten-minutes', key: keyOf(api.ctx, key) }], 'Too often.');

describe('a limit', () => {
  test('allows a number of calls, then refuses with a retry-after, and starts again after its window', async () => {
    for (let nth = 0; nth < 3; nth++) await count('one');
    now = new Date('2026-11-21T12:04:00Z');
    await expect(count('one')).rejects.toMatchObject({ status: 429, message: 'Too often.', retryAfterSeconds: 360 });
    await count('another');
    now = new Date('2026-11-21T12:10:00Z');
    await count('one');
  });

  test('holds for concurrent calls', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => count('many')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(Refusal);
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

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:DB8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

describe('LIMITS', () => {
  test('changes the numbers that it names', () => {
    expect(readLimits(' sign-ins-a-minute = 7, codes-a-day=2')).toEqual({
      ...limits,
      'sign-ins-a-minute': { most: 7, seconds: 60 },
      'codes-a-day': { most: 2, seconds: 86_400 },
    });
    expect(readLimits('')).toEqual(limits);
  });

  test.each(['sign-ins=3', 'codes-a-day=0', 'codes-a-day=-1', 'codes-a-day=1.5', 'codes-a-day', 'toString=3'])(
    'refuses %s',
    (text) => {
      expect(readLimits(text)).toBeNull();
    },
  );
});
