import { addDays } from '@gatehouse/contract/dates';
import { GATE_DAYS, RENT_DAYS, type ReminderKind } from '@gatehouse/contract/reminders';

/** What a reminder is about: rent by its due date, a gate by the day from which it is suspended. */
export type Fact = { kind: ReminderKind; on: string };

/** The state of a current rental on a day of its facility; sums in cents. */
export type Standing = {
  /** What is owed and enforced; below 0 a credit. */
  balanceCents: number;
  /** Whether autopay charges what is due. */
  paysByAutopay: boolean;
  /** The bill to come; null where none is known. */
  nextBill: { dueOn: string; cents: number } | null;
  /** Whether rent that is due on this day is open. */
  isRentDueToday: boolean;
  /** The last day before the gate is suspended, and what is to be paid by then (its `payBy`). */
  gate: { date: string; cents: number } | null;
  /** The least that can be paid online. */
  leastCents: number;
  /** The kinds that the tenant has stopped. */
  stopped: ReminderKind[];
  /** What was reminded of before, and on which day. */
  earlier: (Fact & { remindedOn: string })[];
};

/** One reminder: what it is about, the first of which is its kind, and what is to be paid. */
export type Reminder = { facts: [Fact, ...Fact[]]; cents: number };

/**
 * Which reminder of a rental is due on the facility's `today`; null for none. One a day at most,
 * each fact once, in this order: rent that is due today, a gate that is about to be suspended, rent
 * that is due soon. The first says when the gate is suspended, so that it is about both. A reminder
 * whose first day had no run is due on the next one, as long as it is still true.
 */
export function reminderOf(standing: Standing, today: string): Reminder | null {
  const { stopped, earlier, leastCents } = standing;
  if (earlier.some(({ remindedOn }) => remindedOn === today)) return null;
  const isOpen = ({ kind, on }: Fact) => !earlier.some((one) => one.kind === kind && one.on === on);
  const gate = gateFact(standing, today);
  const choices = [
    { facts: rentToday(standing, today, gate), cents: standing.balanceCents },
    { facts: gate === null ? [] : [gate], cents: standing.gate?.cents ?? 0 },
    rentSoon(standing, today),
  ];
  for (const { facts, cents } of choices) {
    const [first, ...others] = facts;
    if (first === undefined || cents < leastCents || cents <= 0) continue;
    if (stopped.includes(first.kind) || !isOpen(first)) continue;
    return { facts: [first, ...others.filter(isOpen)], cents };
  }
  return null;
}

/** A gate that is suspended within the days, no matter who pays: autopay has not taken the debt. */
function gateFact({ gate }: Standing, today: string): Fact | null {
  if (gate === null) return null;
  const on = addDays(gate.date, 1);
  return addDays(on, -GATE_DAYS) <= today ? { kind: 'gate_soon', on } : null;
}

function rentToday(
  { isRentDueToday, paysByAutopay }: Standing,
  today: string,
  gate: Fact | null,
): Fact[] {
  if (!isRentDueToday || paysByAutopay) return [];
  return [{ kind: 'rent_today', on: today }, ...(gate === null ? [] : [gate])];
}

/** The bill to come with what is owed, or less what is to the tenant's credit. */
function rentSoon(
  { nextBill, paysByAutopay, balanceCents }: Standing,
  today: string,
): { facts: Fact[]; cents: number } {
  const none = { facts: [], cents: 0 };
  if (nextBill === null || paysByAutopay) return none;
  const { dueOn, cents } = nextBill;
  if (dueOn <= today || addDays(dueOn, -RENT_DAYS) > today) return none;
  return { facts: [{ kind: 'rent_soon', on: dueOn }], cents: balanceCents + cents };
}
