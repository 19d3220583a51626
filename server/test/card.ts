import type { CreditCard } from '@gatehouse/contract/payment-methods';

/** A card that the sandbox approves. */
export const card: CreditCard = {
  cardType: 'Visa',
  cardNumber: '4242424242424242',
  cardCvv: '123',
  expirationMonth: '04',
  expirationYear: String(new Date().getFullYear() + 2),
  name: 'Dana Reyes',
  postalCode: '76020',
};
