import { describe, expect, test } from 'vitest';
import type { Context } from '#context/context.ts';
import { findAddress, makeStaffLink, readStaffLink } from './staff-links.ts';

let now = new Date('2026-11-21T12:00:00Z');
const ctxOf = (secret: number) =>
  ({
    config: { secret: Buffer.alloc(32, secret), publicUrl: 'https://portal.example.com' },
    clock: { now: () => now },
  }) as Context;
const ctx = ctxOf(7);
const linked = {
  requestId: '0d9c8b7a-6f5e-4d3c-8b2a-190807060504',
  facilityId: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
  address: 'Desk@example.com',
};
const tokenOf = (url: string) => url.replace('https://portal.example.com/staff/requests/', '');
const token = tokenOf(makeStaffLink(ctx, linked));

describe('a link', () => {
  test('opens its request, for the address that it was mailed to at its facility', () => {
    const link = readStaffLink(ctx, token);
    if (typeof link === 'string') throw new Error(link);
    expect(link.requestId).toBe(linked.requestId);
    expect(
      findAddress(ctx, link, linked.facilityId, ['other@example.com', 'desk@example.com']),
    ).toBe('desk@example.com');
    expect(findAddress(ctx, link, linked.facilityId, ['other@example.com'])).toBeUndefined();
    expect(findAddress(ctx, link, linked.requestId, ['desk@example.com'])).toBeUndefined();
  });

  test('contains neither the address nor the key', () => {
    expect(token).toMatch(/^rqt_[\w-]{86}$/);
    expect(Buffer.from(token.slice(4), 'base64url').toString('latin1')).not.toContain('example');
  });

  test('that is altered in any one character, cut or lengthened, opens nothing', () => {
    const altered = Array.from(
      token,
      (letter, place) =>
        token.slice(0, place) + (letter === 'A' ? 'B' : 'A') + token.slice(place + 1),
    );
    const others = [
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.slice(4),
      '',
      'rqt_',
      `rqt_${'A'.repeat(86)}`,
    ];
    // The last character has bits that do not belong to a byte.
    const siblings = Array.from('AEIMQUYcgkosw048BCDFGH', (letter) => token.slice(0, -1) + letter);
    const opened = [...altered, ...others, ...siblings].filter(
      (one) => readStaffLink(ctx, one) !== 'altered',
    );
    expect(opened.filter((one) => one !== token)).toEqual([]);
  });

  test('of another key opens nothing', () => {
    expect(readStaffLink(ctxOf(8), token)).toBe('altered');
  });

  test('opens for thirty days, to the second', () => {
    now = new Date('2026-12-21T11:59:59Z');
    expect(readStaffLink(ctx, token)).toMatchObject({ requestId: linked.requestId });
    now = new Date('2026-12-21T12:00:00Z');
    expect(readStaffLink(ctx, token)).toBe('expired');
  });
});
