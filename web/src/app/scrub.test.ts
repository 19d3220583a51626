import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrub, scrubEnvelope, scrubText } from './scrub.ts';

const digits = (min: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
    .map((parts) => parts.join(''));
const separator = fc.constantFrom('', ' ', '-', ' - ', '\n', '\u00a0');
/** A number in the ways that people write it. */
const spaced = (min: number, max: number) =>
  fc
    .tuple(digits(min, max), fc.array(separator, { minLength: max, maxLength: max }))
    .map(([number, gaps]) => ({
      number,
      written: Array.from(number)
        .map((digit, index) => digit + (index < number.length - 1 ? gaps[index]! : ''))
        .join(''),
    }));
const plain = (text: string) => text.replace(/[\s-]/g, '');

describe('what leaves with an error report', () => {
  test('has no number of 9 to 19 digits, however it is written and whatever is around it', () => {
    fc.assert(
      fc.property(fc.string(), spaced(9, 19), fc.string(), (before, { number, written }, after) => {
        expect(plain(scrubText(`${before}${written}${after}`))).not.toContain(number);
      }),
    );
  });

  test('has no number of 4 digits or more in a sentence: gate codes, security codes, house numbers', () => {
    fc.assert(
      fc.property(spaced(4, 8), ({ number, written }) => {
        expect(plain(scrubText(`Cannot open ${written}.`, true))).not.toContain(number);
      }),
    );
  });

  test('has no token of ours', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('rvt', 'rgt'),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (kind, bytes) => {
          const token = `${kind}_${Buffer.from(bytes).toString('base64url')}`;
          expect(scrubText(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer [token]');
          expect(scrubText(`{"token":"${token}"}`)).toBe('{"token":"[token]"}');
        },
      ),
    );
  });

  test('has no address of anybody', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(scrubText(`mail to ${email} failed`)).not.toContain(email);
      }),
    );
    expect(scrubText('/users?of=1&x')).toBe('/users');
    expect(scrubText('to dana%40example.com')).toBe('to [email]');
  });

  test('has patterns in place of the ids in addresses, and no query', () => {
    expect(
      scrubText('GET /api/tenants/7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31/payments?ledgerId=A101#top'),
    ).toBe('GET /api/tenants/:id/payments');
  });

  test('names elements without their labels', () => {
    expect(scrubText('main > button.copy[aria-label="Copy the gate code of B207"]')).toBe(
      'main > button.copy',
    );
  });

  test('keeps what helps: status numbers, codes of React, Sentry’s own ids', () => {
    const id = '12345678901234567890123456789abc';
    const event = {
      event_id: id,
      contexts: { trace: { trace_id: id, span_id: '1234567890123456' } },
      timestamp: 1e12,
    };
    expect(scrub(event)).toEqual(event);
    expect(scrub({ value: 'Minified React error #418; the server answered 503.' })).toEqual({
      value: 'Minified React error #418; the server answered 503.',
    });
  });

  test('has no one’s name in it, and not what was thrown in place of an error', () => {
    expect(
      scrub({ level: 'error', user: { id: '1' }, extra: { __serialized__: { street: 'Elm' } } }),
    ).toEqual({
      level: 'error',
    });
  });
});

describe('an envelope', () => {
  test('is scrubbed in all its items, a replay’s lines included, and its length follows', () => {
    const segment = `{"segment_id":0}\n[{"type":4,"timestamp":1757500000000,"data":{"href":"http://a/?email=x"}}]`;
    const [headers, items] = scrubEnvelope([
      { event_id: 'e' },
      [
        [{ type: 'replay_event' }, { type: 'replay_event', urls: ['http://a/?email=x'] }],
        [{ type: 'replay_recording', length: segment.length }, segment],
      ],
    ] as never);
    const left = segment.replace('?email=x', '');
    expect(headers).toEqual({ event_id: 'e' });
    expect(items).toEqual([
      [{ type: 'replay_event' }, { type: 'replay_event', urls: ['http://a/'] }],
      [{ type: 'replay_recording', length: left.length }, left],
    ]);
  });

  test('loses what cannot be read', () => {
    const [, items] = scrubEnvelope([{}, [[{ type: 'attachment' }, new Uint8Array(8)]]] as never);
    expect(items).toEqual([]);
  });
});
