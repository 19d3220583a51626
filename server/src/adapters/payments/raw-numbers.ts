import { createHmac } from 'node:crypto';
import type { Funding } from '#db/tables.ts';
import type { Instrument, MethodDetails } from './gateway.ts';

/** A new card or account with its numbers, for gateways without hosted fields. */
export type Numbered = Exclude<Instrument, { token: string }>;

/** The cards that are not credit cards. */
const fundings: Record<string, Funding> = {
  '4000056655665556': 'debit',
  '5105105105105100': 'prepaid',
};

/**
 * The details of a new card or account, with its fingerprint under the key `secret`; there is no
 * token yet.
 */
export function newDetails(secret: Buffer, instrument: Numbered): MethodDetails {
  const number = numberOf(instrument);
  const none = {
    token: '',
    lastFour: number.slice(-4),
    expiresOn: null,
    routingLastFour: null,
    holderName: null,
    postalCode: null,
    fingerprint: fingerprintOf(secret, instrument),
  };
  if (instrument.type === 'ach') {
    const { accountType: brand, routingNumber } = instrument.account;
    return { ...none, brand, funding: 'unknown', routingLastFour: routingNumber.slice(-4) };
  }
  const { cardType: brand, expirationMonth, expirationYear, name, postalCode } = instrument.card;
  const expiresOn = `${expirationYear}-${expirationMonth}`;
  return {
    ...none,
    brand,
    funding: fundings[number] ?? 'credit',
    expiresOn,
    holderName: name,
    postalCode,
  };
}

/** The number of the card or of the account. */
export function numberOf(instrument: Numbered): string {
  return instrument.type === 'ach' ? instrument.account.accountNumber : instrument.card.cardNumber;
}

/** An HMAC, because card numbers are few enough to be guessed from a plain hash (ASVS 3.5.1.1). */
function fingerprintOf(secret: Buffer, instrument: Numbered): string {
  const bank = instrument.type === 'ach' ? instrument.account.routingNumber : '';
  return createHmac('sha256', secret)
    .update(JSON.stringify(['fingerprint', instrument.type, bank, numberOf(instrument)]))
    .digest('hex');
}
