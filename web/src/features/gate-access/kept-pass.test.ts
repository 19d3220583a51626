import { addDays } from '@gatehouse/contract/dates';
import { getFacility } from '@gatehouse/contract/facilities';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import { listLedgers } from '@gatehouse/contract/ledgers';
import { describe, expect, it } from 'vitest';
import { passOf, shownOf } from './kept-pass.ts';

const facility = { ...getFacility.example, timeZone: 'America/Chicago' };
const [example] = listLedgers.example;
const ledger = { ...example!, balance: 0, paidThrough: '2026-12-31' };
const gate: GateAccess = {
  unitId: ledger.unitId,
  timeZone: 'Business Hours',
  accessCode: '4821#',
};
/** The evening of 11/25 in Chicago, where UTC has the next day. */
const NOW = Date.parse('2026-11-26T02:00:00Z');
const endOf = (changed: Partial<typeof ledger>, access: Partial<GateAccess> = {}) =>
  passOf(facility, [{ ledger: { ...ledger, ...changed }, gate: { ...gate, ...access } }], NOW)
    ?.rentals[0]?.endsOn;

describe('what is kept of the gate', () => {
  // spec 10.4
  it('ends after seven days of the facility’s calendar, or on the next due date before that', () => {
    expect(endOf({})).toBe('2026-12-02');
    expect(endOf({ paidThrough: '2026-11-27' })).toBe('2026-11-28');
    expect(endOf({ paidThrough: '2026-11-24' })).toBe('2026-11-25');
  });

  it('ends on the day by which something has to be paid, where the due date is past', () => {
    const owing = { paidThrough: '2026-11-13', balance: 200 };
    expect(endOf(owing, { payBy: { amount: 200, date: '2026-11-29' } })).toBe('2026-11-29');
    expect(endOf(owing)).toBe('2026-12-02');
  });

  it('leaves out a rental whose gate is closed, and is nothing where all are', () => {
    const { accessCode: _, ...locked } = gate;
    const open = { ledger, gate };
    const closed = { ledger: { ...ledger, id: 'other', balance: 200 }, gate: locked };
    expect(passOf(facility, [closed, open], NOW)?.rentals).toHaveLength(1);
    expect(passOf(facility, [closed], NOW)).toBeNull();
  });

  it('has the name of the access hours and no sentence, which another language would not fit', () => {
    expect(passOf(facility, [{ ledger, gate }], NOW)?.rentals[0]?.hours).toBe(gate.timeZone);
  });
});

describe('what is shown of it', () => {
  const DAY = 86_400_000;
  const pass = passOf(facility, [{ ledger, gate }], NOW)!;

  it('is all of it until the end of its last day, of the facility, and nothing afterwards', () => {
    expect(shownOf(pass, NOW + 7 * DAY, NOW)).toEqual(pass);
    // Midnight in Chicago.
    const over = Date.parse(`${addDays('2026-12-02', 1)}T06:00:00Z`);
    expect(shownOf(pass, over - 1, NOW)).toEqual(pass);
    expect(shownOf(pass, over, NOW)).toBeNull();
  });

  // spec 10.4
  it('is nothing where the clock was set back since it was kept or last shown', () => {
    const HOUR = DAY / 24;
    expect(shownOf(pass, NOW - HOUR, NOW)).toBeNull();
    expect(shownOf(pass, NOW + HOUR, NOW + 3 * HOUR)).toBeNull();
    // Phones correct theirs by some minutes.
    expect(shownOf(pass, NOW - HOUR / 12, NOW)).toEqual(pass);
  });
});
