import { randomUUID } from 'node:crypto';
import type { PaymentParams } from '@gatehouse/contract/payments';
import type { Random } from './random.ts';
import type { Payer } from './world.ts';

/** A payment as a tenant orders it: one press of a button. */
export type Order = {
  /** Groups the answers of one order in the log. */
  name: string;
  payer: Payer;
  lines: { ledgerId: string; unitId: string; cents: number }[];
  method: Method;
  /** The Idempotency-Key of all its requests; without one the debt is the key. */
  key?: string;
};

type Method = Pick<PaymentParams, 'creditCard' | 'ach'>;

/**
 * A payment of a part of one rental by card; numbers that follow each other pay rentals by turns,
 * none twice at once.
 */
export function nextOrder(random: Random, payers: Payer[], number: number): Order {
  const payer = payers[number % payers.length]!;
  const { ledgerId, unitId } =
    payer.rentals[Math.floor(number / payers.length) % payer.rentals.length]!;
  return {
    name: `payment ${number}`,
    payer,
    lines: [{ ledgerId, unitId, cents: random.between(1, 5000) }],
    method: random.pick([newCard(), { creditCard: { paymentMethodId: payer.savedCard } }]),
    key: randomUUID(),
  };
}

/**
 * Payments of one cent by a new card, of each rental in turn and of each payer before the next
 * rental, so that no two under way meet at one rental, or at the declines of one payer.
 */
export function centOrders(payers: Payer[], keyPrefix = ''): () => Omit<Order, 'name'> {
  const next = turns(
    payers
      .flatMap((payer) => payer.rentals.map((rental, nth) => ({ payer, rental, nth })))
      .toSorted((one, other) => one.nth - other.nth),
  );
  return () => {
    const { payer, rental } = next();
    return {
      payer,
      lines: [{ ...rental, cents: 1 }],
      method: newCard(),
      key: keyPrefix + randomUUID(),
    };
  };
}

/** Each of a list in turn, again and again. */
export function turns<T>(all: T[]): () => T {
  let index = 0;
  return () => all[index++ % all.length]!;
}

/** A new card; the number decides what the gateway says. */
export function newCard(cardNumber = '4242424242424242'): Method {
  return {
    creditCard: {
      cardType: 'Visa',
      cardNumber,
      cardCvv: '123',
      expirationMonth: '04',
      expirationYear: '2029',
      name: 'Dana Reyes',
      postalCode: '76020',
    },
  };
}

export function newAccount(): Method {
  return {
    ach: {
      accountType: 'Consumer Checking',
      accountNumber: '000123456789',
      routingNumber: '110000000',
    },
  };
}
