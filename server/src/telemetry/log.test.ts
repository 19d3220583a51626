import { describe, expect, test } from 'vitest';
import { openLog } from './log.ts';
import { scrub } from './scrub.ts';

function logged(...args: [object, string]): Record<string, unknown> {
  let line = '';
  openLog('info', { write: (text) => (line += text) }).info(...args);
  return JSON.parse(line) as Record<string, unknown>;
}

describe('a line of the log', () => {
  // asvs 16.2.1
  test('says what is on the list and names what is not', () => {
    const line = logged(
      { route: '/api/x', status: 200, body: { password: 'hunter22' }, headers: {} },
      'request',
    );
    expect(line).toMatchObject({
      route: '/api/x',
      status: 200,
      msg: 'request',
      leftOut: ['body', 'headers'],
    });
    expect(JSON.stringify(line)).not.toContain('hunter22');
  });

  // asvs 16.3.4
  test('of an error of the database holds no row', () => {
    const error = Object.assign(new Error('too long'), {
      code: '22001',
      detail: 'Failing row contains (secret)',
      where: 'x',
    });
    expect(JSON.stringify(logged({ err: error }, 'the request failed'))).not.toContain('secret');
  });

  test('of an error tells what it came from, and no row of that either', () => {
    const row = { code: '23514', detail: 'Failing row contains (secret)' };
    const failures = Array.from({ length: 9 }, () => Object.assign(new Error('too late'), row));
    const cause = Object.assign(new Error('the disk is full'), row);
    cause.cause = cause;
    const { err } = logged(
      { err: new AggregateError(failures, '9 mails could not be sent', { cause }) },
      'failed',
    );
    expect(err).toMatchObject({
      message: '9 mails could not be sent',
      errors: Array.from({ length: 5 }, () => ({ code: '23514', message: 'too late' })),
      cause: { message: 'the disk is full' },
    });
    expect(JSON.stringify(err)).not.toContain('secret');
  });

  // asvs 16.2.5
  test.each([
    ['a card', '4242424242424242'],
    ['a card with spaces', '4242 4242 4242 4242'],
    ['a card with dashes', '3782-822463-10005'],
    ['a card of 19 digits', '6304000000000000000'],
    ['a bank account', '000123456789'],
    ['a routing number', '110000000'],
    ['a session token', 'rvt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0'],
    ['a session token of staff', 'rot_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0'],
    ['a device token', 'rdt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0'],
    ['a registration token', 'rgt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0'],
  ])('has %s in none of its places', (_what, secret) => {
    const line = logged(
      {
        err: new Error(`bad ${secret}`),
        key: secret,
        facts: { deep: [`"${secret}", ${secret}.`] },
      },
      secret,
    );
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  test('has none as a number either', () => {
    expect(
      JSON.stringify(logged({ facts: { n: 4242424242424242, m: [123456789] } }, 'x')),
    ).not.toMatch(/4242|123456/);
  });

  // asvs 16.2.2
  test('keeps ids, dates, times, sums and its own time', () => {
    const facts = {
      id: '12345678-1234-4123-8123-123456789012',
      other: '5a9d2b7c-1e3f-4d6a-8b0c-987654321098',
      date: '2026-11-21',
      at: '2026-11-21T12:00:00.000Z',
      cents: 12_345_678,
      reference: 'R-100042',
      anchor: `48211:${'0123456789abcdef'.repeat(4)}:2026-11-21T12:00:00.000Z`,
    };
    const line = logged({ facts }, 'it is 2026-11-21 12:00');
    expect(line).toMatchObject({ facts, msg: 'it is 2026-11-21 12:00' });
    expect(line.time).toBeGreaterThan(1_700_000_000_000);
  });

  // asvs 1.3.10, 16.2.4, 16.4.1
  test('stays JSON whatever it holds', () => {
    const text =
      '{"a":"\\"4242424242424242\\\\","b":[4242424242424242,-123456789.5,1e300],"c":"\\\\"}';
    expect(JSON.parse(scrub(text))).toEqual({
      a: '"[number]\\',
      b: ['[number]', '[number]', 1e300],
      c: '\\',
    });
  });
});
