import { addDays } from '@gatehouse/contract/dates';
import type { LateStep } from '@gatehouse/contract/office/tenants';
import { toDollars } from '@gatehouse/contract/money';
import {
  isSuspended,
  suspendsOn,
  type GateDebt,
} from '#features/service/gate-access/suspension.ts';

/** What is known of a rental that owes, or will on `dueOn`; days are the facility's. */
export type LateFacts = {
  dueOn: string;
  /** Since when it is owed: not before the day on which it was posted. */
  owedFrom: string;
  /** As it is on the facility's today, or will be on `dueOn`. */
  debt: GateDebt;
  overlockedOn: string | null;
  isOnHold: boolean;
  reminders: { on: string; isDone: boolean }[];
  fees: { on: string; isDone: boolean; cents: number }[];
  /** The days of notices and letters since it was late. */
  noticedOn: string[];
  letteredOn: string[];
};

/** The order of steps of one day. */
const kinds: LateStep['kind'][] = ['reminder', 'due', 'fee', 'gate', 'notice', 'letter'];

/**
 * The steps of a rental in order of their days, those that are done first. One to come whose day
 * has passed, such as a fee that waits for a payment, comes today at the earliest.
 */
export function lateSteps(facts: LateFacts, today: string): LateStep[] {
  const { dueOn, isOnHold, reminders, fees, noticedOn, letteredOn } = facts;
  const done = (kind: LateStep['kind']) => (on: string) => step({ kind, on, isDone: true });
  const isWritten = noticedOn.length + letteredOn.length > 0;
  const steps = [
    ...reminders.map((one) => step({ kind: 'reminder', ...one })),
    step({ kind: 'due', on: dueOn, isDone: dueOn <= today }),
    ...fees.map(({ cents, ...one }) => step({ kind: 'fee', ...one, amount: toDollars(cents) })),
    ...gateStep(facts, today),
    ...noticedOn.map(done('notice')),
    ...letteredOn.map(done('letter')),
    ...(isWritten || isOnHold ? [] : [step({ kind: 'letter', on: addDays(dueOn, 1) })]),
  ].map((one) => (one.isDone || one.on! > today ? one : { ...one, on: today }));
  const key = ({ isDone, on, kind }: LateStep) =>
    `${isDone ? 0 : 1} ${on ?? today} ${kinds.indexOf(kind)}`;
  return steps.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The day on which the gate is locked for what is owed; null where it will not be for that. */
export function lockedOn({ debt, overlockedOn, owedFrom }: LateFacts): string | null {
  return overlockedOn ?? suspendsOn(debt, owedFrom);
}

function gateStep(facts: LateFacts, today: string): LateStep[] {
  const { overlockedOn, owedFrom, debt } = facts;
  const isDone = overlockedOn !== null || (owedFrom <= today && isSuspended(debt, today));
  const on = lockedOn(facts);
  return on === null && !isDone ? [] : [step({ kind: 'gate', on, isDone })];
}

function step(given: Pick<LateStep, 'kind' | 'on'> & Partial<LateStep>): LateStep {
  return { isDone: false, amount: null, ...given };
}
