import { randomUUID } from 'node:crypto';
import type { Random } from '../models/random.ts';
import { newCard, type Order } from './driver.ts';
import type { Payer } from './world.ts';

/** A payment of a part of one rental by card; numbers that follow each other pay rentals by turns, none twice at once. */
export function nextOrder(random: Random, payers: Payer[], number: number): Order {
  const payer = payers[number % payers.length]!;
  const { ledgerId, unitId } = payer.rentals[Math.floor(number / payers.length) % payer.rentals.length]!;
  return {
    name: `payment ${number}`,
    payer,
    lines: [{ ledgerId, unitId, cents: random.between(1, 5000) }],
    method: random.pick([newCard(), { creditCard: { paymentMethodId: payer.savedCard } }]),
    key: randomUUID(),
  };
}
