import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { BillableLedger, DiscountPlan, PlanTerm, ScheduledRate } from './billable.ts';
import { billPeriod, totalCents, type BilledCharge, type Discount, type Terms } from './bill.ts';
import { nextPeriod, type Period } from './periods.ts';

/** A period with the rate that it is billed at, in cents, and its charges. */
export type BilledPeriod = Period & { rateCents: number; charges: BilledCharge[] };

/**
 * Why a period, due on `dueOn`, or a line of it is not billed: a plan of the facility that a person
 * must put right.
 */
export type Fault = {
  kind: 'discount_plan' | 'protection_plan';
  id: string;
  dueOn: string;
  sentence: string;
};

/** What a ledger is to be billed, oldest period first, up to the first that cannot be. */
export type LedgerBill = {
  ledger: BillableLedger;
  periods: BilledPeriod[];
  /** What keeps the next period from being billed. */
  fault: Fault | null;
  /** Lines that the periods are billed without, because their plan has ended. */
  parkedLines: Fault[];
  /** The scheduled rate that these periods begin to be billed at. */
  rateChange: (ScheduledRate & { noticeId: string; appliedOn: string }) | null;
  /**
   * The scheduled rate's day has come, but its notice was not mailed in time: the old rate stays.
   */
  lateNotice: ScheduledRate | null;
};

/**
 * The periods of a ledger that are due by `date` and not billed yet, each as it would have been on
 * its own due date. A rental is billed for the periods that begin before the day on which it was
 * moved out of.
 */
export function billLedger(ledger: BillableLedger, date: string): LedgerBill {
  const bill: LedgerBill = {
    ledger,
    periods: [],
    fault: null,
    parkedLines: [],
    rateChange: null,
    lateNotice: null,
  };
  for (let period = periodAfter(ledger, ledger.billedThrough); period.dueOn <= date;) {
    const { dueOn } = period;
    if (ledger.movedOutOn !== null && dueOn >= ledger.movedOutOn) break;
    const terms = termsOn(ledger, dueOn, bill);
    if (bill.fault !== null || terms === null) break;
    bill.periods.push({
      ...period,
      rateCents: terms.rateCents,
      charges: billPeriod(terms, period),
    });
    period = periodAfter(ledger, period.periodEnd);
  }
  return bill;
}

/** A payment ahead is of a year at most; by then a rent may rise whatever is to the credit. */
const MOST_DAYS_AHEAD = 366;

/**
 * The last of the bills to come that a sum pays at the rent as it is, or as `scheduled` says; null
 * for less than one.
 */
export function lastCovered(
  ledger: BillableLedger,
  cents: number,
  scheduled: BillableLedger['scheduled'] = null,
): Period | null {
  let [left, last]: [number, Period | null] = [cents, null];
  const until = addDays(ledger.billedThrough, MOST_DAYS_AHEAD);
  for (const period of billLedger({ ...ledger, scheduled }, until).periods) {
    left -= totalCents(period.charges);
    if (left < 0) break;
    last = period;
  }
  return last;
}

/** The period that begins on the day after `date`. */
export function periodAfter({ facility, billingDay }: BillableLedger, date: string): Period {
  return nextPeriod(facility.billingKind, billingDay, addDays(date, 1));
}

/**
 * Whether a change's notice went out as early as the facility's setting asks, by its own calendar:
 * without that the change is not applied.
 */
export function isNoticedInTime(
  { facility }: BillableLedger,
  { on, noticeSentAt }: ScheduledRate,
): boolean {
  if (noticeSentAt === null) return false;
  return calendarDateIn(facility.timeZone, noticeSentAt) <= addDays(on, -facility.rateNoticeDays);
}

/** Whether a change lowers the rent: its notice may go out at any time. */
export function isDecrease({ rateCents }: BillableLedger, { toCents }: ScheduledRate): boolean {
  return toCents <= rateCents;
}

/**
 * What the ledger is billed by in the period that is due on a day; notes in `bill` what prevents
 * it.
 */
function termsOn(ledger: BillableLedger, dueOn: string, bill: LedgerBill): Terms | null {
  const { scheduled } = ledger;
  bill.fault = unknownDiscount(ledger, dueOn);
  if (bill.fault !== null) return null;
  bill.parkedLines.push(...endedPlans(ledger, dueOn));
  let rateCents = bill.rateChange?.toCents ?? ledger.rateCents;
  if (scheduled !== null && bill.rateChange === null && dueOn >= scheduled.on) {
    if (
      scheduled.noticeId !== null &&
      (isDecrease(ledger, scheduled) || isNoticedInTime(ledger, scheduled))
    ) {
      rateCents = scheduled.toCents;
      bill.rateChange = { ...scheduled, noticeId: scheduled.noticeId, appliedOn: dueOn };
    } else bill.lateNotice = scheduled;
  }
  return termsAt(ledger, rateCents, dueOn);
}

/**
 * The terms of a period at a rate, whatever the ledger's own is: without a plan that has ended by
 * its first day.
 */
export function termsAt(ledger: BillableLedger, rateCents: number, dueOn: string): Terms {
  const { facility, discountPlan, paysByCreditCard } = ledger;
  const plan = planOn(ledger.plans, dueOn);
  return {
    rateCents,
    discount:
      discountPlan === null || hasEnded(discountPlan, dueOn) ? null : discountOf(discountPlan),
    rentTaxes: isTaxedOn(ledger, dueOn)
      ? { tax1: facility.rentTax1, tax2: facility.rentTax2 }
      : { tax1: 0, tax2: 0 },
    premiumCents: plan === null || hasEnded(plan, dueOn) ? null : plan.premiumCents,
    insuranceTaxes: { tax1: facility.insuranceTax1, tax2: facility.insuranceTax2 },
    cardFeeCents: paysByCreditCard ? facility.cardFeeCents : 0,
  };
}

/** Whether the facility's taxes on rent are on a bill that is due on the day. */
function isTaxedOn({ isTaxed, scheduledTax }: BillableLedger, dueOn: string): boolean {
  return scheduledTax !== null && dueOn >= scheduledTax.on ? scheduledTax.isTaxed : isTaxed;
}

/** The protection plan that is active on a day; of several the newest. */
function planOn(plans: PlanTerm[], day: string): PlanTerm | null {
  const active = plans.filter(
    ({ startsOn, endsOn }) => startsOn <= day && (endsOn === null || endsOn >= day),
  );
  return active.toSorted((a, b) => (a.startsOn < b.startsOn ? 1 : -1))[0] ?? null;
}

function hasEnded({ endedOn }: { endedOn: string | null }, dueOn: string): boolean {
  return endedOn !== null && endedOn < dueOn;
}

/** Nothing is guessed where a discount is agreed and its plan does not say how much. */
function unknownDiscount({ discountPlan: plan }: BillableLedger, dueOn: string): Fault | null {
  if (plan === null || hasEnded(plan, dueOn) || discountOf(plan) !== null) return null;
  const what = `The discount plan "${plan.name}" does not say what it takes off`;
  const sentence = `${what}, and rentals still have it: they are not billed until that is put right.`;
  return { kind: 'discount_plan', id: plan.id, dueOn, sentence };
}

/**
 * The plans that the ledger still has and that have ended: their price after their end is not
 * known.
 */
function endedPlans({ discountPlan, plans }: BillableLedger, dueOn: string): Fault[] {
  const faults: Fault[] = [];
  const plan = planOn(plans, dueOn);
  if (discountPlan !== null && hasEnded(discountPlan, dueOn)) {
    const what = `The discount plan "${discountPlan.name}" ended on ${discountPlan.endedOn}`;
    const sentence = `${what}, and rentals still have it: their rent is billed without it until that is put right.`;
    faults.push({ kind: 'discount_plan', id: discountPlan.id, dueOn, sentence });
  }
  if (plan !== null && hasEnded(plan, dueOn)) {
    const what = `The protection plan "${plan.name}" ended on ${plan.endedOn}`;
    const sentence = `${what}, and rentals still have it: they are billed without its premium until that is put right.`;
    faults.push({ kind: 'protection_plan', id: plan.planId, dueOn, sentence });
  }
  return faults;
}

function discountOf({ basisPoints, amountCents }: DiscountPlan): Discount | null {
  if (basisPoints !== null) return { basisPoints };
  return amountCents === null ? null : { amountCents };
}
