import { t } from '@gatehouse/language/t';
import { RETRY_DAYS } from './autopay.ts';
import { formatMoney } from './money.ts';

/**
 * Which wording of the consent a tenant agreed to; kept along with the text. A new wording is a new
 * version.
 */
export const MANDATE_VERSION = '2026-11-23';

/**
 * How many days before the first charge at a new rental rate its notice is mailed at the latest.
 */
export const AMOUNT_NOTICE_DAYS = 10;

/**
 * The most times that a bank payment is presented again after the bank returned it for want of
 * funds.
 */
export const RE_PRESENTMENTS = 2;

/** How many days after such a return it is presented again. */
export const RE_PRESENTMENT_DAYS = 3;

/**
 * What a consent is about; `lastFour` where it is known, `cardFee` the facility's in dollars, 0 for
 * none.
 */
export type Mandate = {
  unitName: string;
  facilityName: string;
  method: 'creditCard' | 'ach';
  lastFour?: string;
  cardFee: number;
};

/**
 * The tenant's consent to autopay in plain words, a paragraph a line: what is charged, when, how
 * much, what happens when it fails, and how it ends. The portal shows it before the tenant submits,
 * in the language of the page; the server keeps the one it builds itself in the same.
 */
export function mandateText(mandate: Mandate): string {
  return [authorization(mandate), amount(), failure(mandate), ...fee(mandate), end()].join('\n');
}

function authorization({ unitName, facilityName, method, lastFour = '' }: Mandate): string {
  return t(
    "I authorize {facility} to charge {instrument} for unit {unit}: on each due date, after 4:00 a.m. by the facility's clock, what is owed on the unit that day. What is still owed once this is set up is charged on the next morning.",
    { facility: facilityName, instrument: instrument(method, lastFour), unit: unitName },
  );
}

function instrument(method: Mandate['method'], lastFour: string): string {
  if (method === 'ach')
    return lastFour === ''
      ? t('my bank account')
      : t('my bank account ending in {lastFour}', { lastFour });
  return lastFour === '' ? t('my card') : t('my card ending in {lastFour}', { lastFour });
}

function amount(): string {
  return t(
    'The amount may vary: it is the rent less any discount, the protection plan, taxes and fees, and what is still unpaid. When the rent changes, I get an email at least {days} days before the first charge at the new rent.',
    { days: AMOUNT_NOTICE_DAYS },
  );
}

function failure({ method }: Mandate): string {
  const days = t('{days} and {last}', {
    days: RETRY_DAYS.slice(0, -1).join(', '),
    last: RETRY_DAYS.at(-1)!,
  });
  const declined = t(
    'A declined charge is tried again {days} days after the first attempt, and not at all when the bank says that it cannot work. I get an email about each attempt.',
    { days },
  );
  if (method === 'creditCard') return declined;
  const returned = t(
    'A bank payment that is returned for want of funds is presented again {days} days later, at most twice; a return for most other reasons switches autopay off.',
    { days: RE_PRESENTMENT_DAYS },
  );
  return `${declined} ${returned}`;
}

function fee({ method, cardFee }: Mandate): string[] {
  if (method === 'ach' || cardFee <= 0) return [];
  return [
    t(
      'With a credit card, a card fee of {fee} is added to each bill, never more than 3% of its rent. Debit and prepaid cards and bank accounts bring no fee, and it ends when autopay changes to one of them.',
      { fee: formatMoney(cardFee) },
    ),
  ];
}

function end(): string {
  return t(
    'I can switch autopay off at any time under Billing Info, until the minute before a charge; what is owed stays owed. The authorization also ends when another card or account takes its place, and when I move out.',
  );
}
