import { randomUUID } from 'node:crypto';
import type { Instrument, MethodDetails } from '@gatehouse/server/src/adapters/payments/gateway.ts';

/** How a card or account behaves; a token contains it, so that tokens need not be stored. */
const behaviours = [
  'approve',
  'decline',
  'hardDecline',
  'insufficientFunds',
  'declinedByAutopay',
  'noAnswer',
  'notSent',
] as const;
export type Behaviour = (typeof behaviours)[number];

/** Test numbers, the same as the sandbox's. Their last four digits select the behaviour. */
export const simulatorNumbers: Record<Behaviour, string> = {
  approve: '4242424242424242',
  decline: '4000000000000002',
  hardDecline: '4000000000009979',
  insufficientFunds: '4000000000009995',
  declinedByAutopay: '4000000000000341',
  noAnswer: '4000000000000119',
  notSent: '4000000000000101',
};

/** A token for a saved method that behaves so. */
export function simulatorToken(
  type: Instrument['type'],
  behaviour: Behaviour = 'approve',
  lastFour = '4242',
): string {
  return `sim_${type}_${behaviour}_${lastFour}_${randomUUID()}`;
}

export function identify(instrument: Instrument): { behaviour: Behaviour; lastFour: string } {
  if ('token' in instrument) {
    const [, , behaviour = '', lastFour = ''] =
      new RegExp(`^sim_(${instrument.type})_(\\w+)_(\\w{4})_`).exec(instrument.token) ?? [];
    const known = behaviours.find((one) => one === behaviour);
    return known === undefined
      ? { behaviour: 'hardDecline', lastFour: '' }
      : { behaviour: known, lastFour };
  }
  const number =
    instrument.type === 'ach' ? instrument.account.accountNumber : instrument.card.cardNumber;
  const behaviour = behaviours.find((one) => simulatorNumbers[one] === number) ?? 'approve';
  return { behaviour, lastFour: number.slice(-4) };
}

/** What a card or account is, with a token for it; or the sentence with which it is declined. */
export function describe(
  instrument: Instrument,
): Omit<MethodDetails, 'fingerprint'> | { declined: string } {
  const { behaviour, lastFour } = identify(instrument);
  if (behaviour === 'decline' || behaviour === 'hardDecline') return { declined: DECLINED };
  const token =
    'token' in instrument ? instrument.token : simulatorToken(instrument.type, behaviour, lastFour);
  const common = {
    token,
    lastFour,
    funding: 'unknown' as const,
    holderName: null,
    postalCode: null,
  };
  return instrument.type === 'ach'
    ? { ...common, brand: 'Consumer Checking', expiresOn: null, routingLastFour: '0000' }
    : { ...common, brand: 'Visa', expiresOn: '2099-12', routingLastFour: null };
}

export const DECLINED = 'Your bank declined this card. Please use another card.';
export const INSUFFICIENT_FUNDS = 'Your card has insufficient funds. Please use another card.';
