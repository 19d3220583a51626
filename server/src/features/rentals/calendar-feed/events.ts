import { formatDate } from '@gatehouse/contract/dates';
import { nextChargeDate } from '@gatehouse/contract/ledgers';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { LastDay } from '#features/rentals/vehicle-papers/vehicle-papers.ts';

/** A day of the facility's calendar with a sum in cents. */
export type Due = { on: string; cents: number };

/** What a calendar says of a rental; dates are the facility's calendar. */
export type FeedRental = {
  ledgerId: string;
  unitName: string;
  /** What is owed in cents, below 0 a credit. */
  balanceCents: number;
  paidThrough: string;
  /** What autopay takes next; null where it is off or is kept from charging. */
  nextCharge: Due | null;
  /** The bills to come, oldest first, as far as they are known. */
  bills: Due[];
  rateChange: Due | null;
  movedOutOn: string | null;
  /** The last day of the card that autopay charges. */
  cardEnds: { card: string; on: string } | null;
  /** The last day of the private policy on file. */
  policyEndsOn: string | null;
  /** The papers of the vehicle or vessel on file, with their last days. */
  papers: Pick<LastDay, 'vehicleId' | 'vehicle' | 'kind' | 'on'>[];
};

/** An event of a whole day; `id` is the same whenever the calendar is read. */
export type FeedEvent = { id: string; on: string; title: string; text: string };

/** The events of a rental, in the order of their days. */
export function rentalEvents(rental: FeedRental): FeedEvent[] {
  const { ledgerId, unitName } = rental;
  const event = (kind: string, on: string, title: string, text: string): FeedEvent => ({
    id: `${kind}-${ledgerId}-${on}`,
    on,
    title: `${title}, ${unitName}`,
    text,
  });
  const { rateChange, movedOutOn, cardEnds, policyEndsOn, papers } = rental;
  return [
    ...chargeEvents(rental, event),
    ...(rateChange === null
      ? []
      : [
          event(
            'rate',
            rateChange.on,
            t('Rent changes to {sum}', { sum: money(rateChange.cents) }),
            t('From the bill that is due on {day} or after it.', {
              day: formatDate(rateChange.on),
            }),
          ),
        ]),
    ...(movedOutOn === null
      ? []
      : [event('move-out', movedOutOn, t('Move-out'), t('The rental ends before this day.'))]),
    ...(cardEnds === null
      ? []
      : [
          event(
            'card',
            cardEnds.on,
            t('{card} expires', { card: cardEnds.card }),
            t('Autopay charges this card. Please set up autopay with another one by then.'),
          ),
        ]),
    ...(policyEndsOn === null
      ? []
      : [
          event(
            'insurance',
            policyEndsOn,
            t('Insurance ends'),
            t('Please file proof of the renewed policy by then.'),
          ),
        ]),
    ...papers.map(({ vehicleId, vehicle, kind, on }) => {
      const title =
        kind === 'insurance' ? t('Vehicle insurance expires') : t('Registration expires');
      return event(
        [kind === 'insurance' ? 'vehicle-insurance' : kind, vehicleId].filter(Boolean).join('-'),
        on,
        vehicle === null ? title : `${title}, ${vehicle}`,
        t('Please file the renewed paper under Account Management by then.'),
      );
    }),
  ].toSorted((a, b) => (a.on < b.on ? -1 : 1));
}

function asKnown(): string {
  return t('As far as the sum is known today: a fee, a payment or a change of plan changes it.');
}

/** What is unpaid, what autopay takes next, and the bills after that, less a credit. */
function chargeEvents(
  { balanceCents, paidThrough, nextCharge, bills }: FeedRental,
  event: (kind: string, on: string, title: string, text: string) => FeedEvent,
): FeedEvent[] {
  if (nextCharge !== null) {
    const later = lessCredit(bills, -balanceCents).filter(({ on }) => on > nextCharge.on);
    return [nextCharge, ...later].map(({ on, cents }) =>
      event('autopay', on, t('Autopay {sum}', { sum: money(cents) }), asKnown()),
    );
  }
  const due = lessCredit(bills, -balanceCents).map(({ on, cents }) =>
    event('due', on, t('Rent due {sum}', { sum: money(cents) }), asKnown()),
  );
  if (balanceCents <= 0) return due;
  const since = nextChargeDate(paidThrough);
  return [
    event('unpaid', since, t('Unpaid {sum}', { sum: money(balanceCents) }), t('This is owed now.')),
    ...due.filter(({ on }) => on > since),
  ];
}

/** The bills that a credit leaves something of, oldest first. */
function lessCredit(bills: Due[], creditCents: number): Due[] {
  let left = Math.max(0, creditCents);
  return bills.flatMap(({ on, cents }) => {
    const used = Math.min(left, cents);
    left -= used;
    return cents > used ? [{ on, cents: cents - used }] : [];
  });
}

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
