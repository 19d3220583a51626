import { expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const CHICAGO = 'America/Chicago';
const at = (local: string, zone = CHICAGO) =>
  new Date(Temporal.ZonedDateTime.from(`${local}[${zone}]`).epochMilliseconds);

test.each([
  ['a Saturday', '2026-11-28T09:00'],
  ['a Saturday', '2026-11-28T19:59:59'],
  ['a Sunday', '2026-11-29T12:00'],
  ['a Sunday', '2026-11-29T19:59'],
  ['a Monday', '2026-11-30T09:00'],
])('text messages may go on %s at %s', (_, local) => {
  expect(quietUntil(CHICAGO, at(local))).toBeNull();
});

test.each([
  ['2026-11-28T08:59', '2026-11-28T09:00'],
  ['2026-11-28T20:00', '2026-11-29T12:00'],
  ['2026-11-29T09:00', '2026-11-29T12:00'],
  ['2026-11-29T11:59', '2026-11-29T12:00'],
  ['2026-11-29T23:30', '2026-11-30T09:00'],
  ['2026-11-30T00:00', '2026-11-30T09:00'],
])('it is quiet at %s, until %s', (local, next) => {
  expect(quietUntil(CHICAGO, at(local))).toEqual(at(next));
});

// spec 10.64
test('the hours are those of the facility’s clock, also where it changes that night', () => {
  // The clocks of Chicago go forward on 3/8/2026, a Sunday, and back on 11/1/2026.
  expect(quietUntil(CHICAGO, at('2026-03-07T21:00'))).toEqual(at('2026-03-08T12:00'));
  expect(quietUntil(CHICAGO, at('2026-10-31T21:00'))).toEqual(at('2026-11-01T12:00'));
  const morning = new Date('2026-11-30T15:00:00Z');
  expect(quietUntil(CHICAGO, morning)).toBeNull();
  expect(quietUntil('Pacific/Honolulu', morning)).toEqual(new Date('2026-11-30T19:00:00Z'));
});
