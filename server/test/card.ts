import type { CreditCard } from '@gatehouse/contract/payment-methods';
import { testClock } from './test-day.ts';

/** A card that the sandbox approves. */
export const card: CreditCard = {
  cardType: 'Visa',
  cardNumber: '4242424242424242',
  cardCvv: '123',
  expirationMonth: '04',
  expirationYear: String(testClock.now().getUTCFullYear() + 2),
  name: 'Dana Reyes',
  postalCode: '76020',
};
