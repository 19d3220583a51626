import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { GateAccess } from '@gatehouse/contract/gate-access';
import { type Ledger, nextChargeDate } from '@gatehouse/contract/ledgers';
import { accessState } from './access-state.ts';

/** The gate pass of a tenant record as it is kept on a phone. `asOf` is in milliseconds. */
export type KeptPass = {
  asOf: number;
  facility: Pick<Facility, 'name' | 'phone' | 'address' | 'timeZone'>;
  rentals: KeptRental[];
};

/**
 * A rental whose gate is open; `hours` is the name of its schedule, and `endsOn` the last day, of
 * the facility, on which it is shown.
 */
export type KeptRental = {
  ledgerId: string;
  name: string;
  detail: string;
  code: string;
  hours: string;
  endsOn: string;
};

/** The most days for which a pass is shown without having been renewed. */
const MOST_DAYS = 7;
/** By how much a clock may run back before it counts as set back: phones correct theirs. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * What is kept of a tenant record: the rentals whose gate is open. Each ends on its next due date,
 * on the day by which it has to be paid, or after seven days, whichever is first. Null where none
 * is open.
 */
export function passOf(
  facility: Facility,
  rentals: { ledger: Ledger; gate: GateAccess }[],
  now: number,
): KeptPass | null {
  const { name, phone, address, timeZone } = facility;
  const today = calendarDateIn(timeZone, new Date(now));
  const kept = rentals.flatMap(({ ledger, gate }): KeptRental[] => {
    const { accessCode: code, payBy } = gate;
    if (accessState(gate, ledger) !== 'open' || code === undefined) return [];
    const { unit, unitName, vehicle, paidThrough } = ledger;
    const size = `${unit.width} x ${unit.length} ${unit.typeName}`;
    const due = [nextChargeDate(paidThrough), payBy?.date].filter(
      (date) => date !== undefined && date >= today,
    );
    const [endsOn] = [...due, addDays(today, MOST_DAYS)].sort();
    return [
      {
        ledgerId: ledger.id,
        name: vehicle?.description ?? unitName,
        detail: vehicle === null ? size : `${unitName}\u00a0·\u00a0${size}`,
        code,
        hours: gate.timeZone,
        endsOn: endsOn!,
      },
    ];
  });
  return kept.length === 0
    ? null
    : { asOf: now, facility: { name, phone, address, timeZone }, rentals: kept };
}

/**
 * What of a pass may be shown at an instant; null where nothing. `seenAt` is the latest instant
 * that this phone's clock has shown: a clock that was set back since does not renew a pass.
 */
export function shownOf(pass: KeptPass, now: number, seenAt: number): KeptPass | null {
  if (now + CLOCK_TOLERANCE_MS < Math.max(pass.asOf, seenAt)) return null;
  const today = calendarDateIn(pass.facility.timeZone, new Date(now));
  const rentals = pass.rentals.filter(({ endsOn }) => today <= endsOn);
  return rentals.length === 0 ? null : { ...pass, rentals };
}
