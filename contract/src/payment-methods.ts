import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { id } from './ids.ts';
import { copied, requiredMessage, requiredNumber, requiredText, tooLongMessage } from './text.ts';
import { plainNumber, plainText } from './typed.ts';

/** Payment method types and their labels. */
export const paymentMethodTypes = { creditCard: () => t('Credit Card'), ach: () => 'ACH' };
export type PaymentMethodType = keyof typeof paymentMethodTypes;

/** Shown wherever the facility has a card fee. */
export const cardFeeNotice = () => t('Using a credit or debit card incurs a recurring rent fee.');

/** Of which cards the notice holds here; `amount`, the fee, such as `$5.00`. */
export function cardFeeDetails(amount: string): string {
  return t(
    'At this location credit cards add {amount} to each bill, never more than 3% of its rent. Debit and prepaid cards are free.',
    { amount },
  );
}

/** The card types of the specification. */
export const cardTypes = ['Visa', 'American Express', 'Discover', 'Master Card'] as const;
export type CardType = (typeof cardTypes)[number];

/** The account types of the specification. */
export const accountTypes = ['Business Checking', 'Consumer Checking', 'Consumer Savings'] as const;

/** The months a card may expire in, as they travel. */
export const expirationMonths = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '10',
  '11',
  '12',
] as const;

/**
 * The years a card may expire in: this year through 21 years on, 22 in all. `thisYear` is the
 * facility's.
 */
export function expirationYears(thisYear: number): string[] {
  return Array.from({ length: 22 }, (_, index) => String(thisYear + index));
}

/** Said of a new card whose month is over by the facility's calendar, at its field and with 422. */
export const cardExpired = () => t('This card has expired. Please enter another one.');

/** Field lengths of the specification, in characters. */
export const CARD_NUMBER = { min: 14, max: 16 };
export const CARD_CVV = { min: 3, max: 4 };
export const ROUTING_NUMBER_LENGTH = 9;

const noNumber = requiredMessage(() => t('Card number'));
const wrongNumber = { error: () => t('Card number must be 14 to 16 digits.') };
const noCode = requiredMessage(() => t('Security code'));
const wrongCode = { error: () => t('Security code must be 3 or 4 digits.') };
const noYear = requiredMessage(() => t('Expiration year'));
const noRoutingNumber = requiredMessage(() => t('Routing number'));
const noToken = requiredMessage(() => t('Payment token'));

/**
 * A new card. Only lengths are checked here, of numbers as they are meant (typed.ts); the live
 * gateway checks more.
 */
export const creditCard = z.object({
  cardType: z.enum(
    cardTypes,
    requiredMessage(() => t('Card type')),
  ),
  cardNumber: z
    .string(noNumber)
    .check(
      z.overwrite(plainNumber),
      z.minLength(1, noNumber),
      z.minLength(CARD_NUMBER.min, wrongNumber),
      z.maxLength(CARD_NUMBER.max, wrongNumber),
    ),
  cardCvv: z
    .string(noCode)
    .check(
      z.overwrite(plainNumber),
      z.minLength(1, noCode),
      z.minLength(CARD_CVV.min, wrongCode),
      z.maxLength(CARD_CVV.max, wrongCode),
    ),
  expirationMonth: z.enum(
    expirationMonths,
    requiredMessage(() => t('Expiration month')),
  ),
  expirationYear: z.string(noYear).check(z.regex(/^\d{4}$/, noYear)),
  name: requiredText(() => t('Name on card')),
  streetAddress: z.optional(
    z.string().check(
      z.overwrite(plainText),
      z.maxLength(
        200,
        tooLongMessage(() => t('Street address')),
      ),
    ),
  ),
  postalCode: requiredNumber(() => t('Billing zip'), 20),
});
export type CreditCard = z.infer<typeof creditCard>;

/**
 * A new bank account. The routing number is exactly 9 characters, and digits, a departure
 * (docs/specification.md); the ABA check digit is only a hint here, because these fields reach the
 * sandbox only.
 */
export const ach = z.object({
  accountType: z.enum(
    accountTypes,
    requiredMessage(() => t('Account type')),
  ),
  accountNumber: requiredNumber(() => t('Account number'), 34),
  routingNumber: z
    .string(noRoutingNumber)
    .check(
      z.overwrite(plainNumber),
      z.minLength(1, noRoutingNumber),
      z.regex(/^\d{9}$/, { error: () => t('Routing number must be exactly 9 digits.') }),
    ),
});
export type Ach = z.infer<typeof ach>;

/**
 * What hosted fields made of a number that this server never sees. With Stripe it is the id of a
 * ConfirmationToken, `ctoken_…` (`stripe.createConfirmationToken({ elements })`): it carries the
 * mandate of a bank debit, pays once and is saved once after that, if the payment had
 * `keepForAutopay`. A new submission needs a new one.
 */
const paymentToken = z.string(noToken).check(z.regex(/^[\w-]{1,255}$/, noToken));

/**
 * Whether the tenant agrees that the gateway keeps the method, because autopay is set up with the
 * same token next. Without it the token pays once, and nothing is kept.
 */
const keepForAutopay = z.optional(
  z.boolean({ error: () => t('Keep for autopay must be true or false.') }),
);

/**
 * A new card of a live profile: its token; the masked copies along with it may be sent and decide
 * nothing.
 */
export const tokenizedCard = z.object({
  paymentToken,
  keepForAutopay,
  cardType: copied,
  cardNumber: copied,
  expirationMonth: copied,
  expirationYear: copied,
  name: copied,
  postalCode: copied,
});

/** A new bank account of a live profile: its token; the masked copies decide nothing. */
export const tokenizedAch = z.object({
  paymentToken,
  keepForAutopay,
  accountType: copied,
  accountNumber: copied,
  routingNumber: copied,
});

/** A saved method of the same tenant in place of a new one. */
export const savedMethod = z.object({ paymentMethodId: id });

/** What pays: exactly one of the two, each saved, a token of hosted fields, or new. */
export const paymentMethodFields = {
  creditCard: z.optional(z.union([savedMethod, tokenizedCard, creditCard])),
  ach: z.optional(z.union([savedMethod, tokenizedAch, ach])),
};
export const onePaymentMethod = z.refine<{ creditCard?: unknown; ach?: unknown }>(
  (body) => (body.creditCard === undefined) !== (body.ach === undefined),
  { error: () => t('Give either creditCard or ach.'), path: ['creditCard'] },
);
export type PaymentMethodFields = {
  creditCard?: CreditCard | z.infer<typeof tokenizedCard> | z.infer<typeof savedMethod>;
  ach?: Ach | z.infer<typeof tokenizedAch> | z.infer<typeof savedMethod>;
};

/**
 * The brand a card number belongs to by its first digits, or undefined while that is open. Fills
 * the type field (web only a hint).
 */
export function cardTypeOf(cardNumber: string): CardType | undefined {
  if (/^4/.test(cardNumber)) return 'Visa';
  if (/^3[47]/.test(cardNumber)) return 'American Express';
  if (/^(6011|65|64[4-9])/.test(cardNumber)) return 'Discover';
  if (/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(cardNumber)) return 'Master Card';
  return undefined;
}

/**
 * Whether nine digits have the check digit that the ABA asks for (weights 3, 7, 1). A hint while
 * typing in the sandbox, which never blocks; a real gateway's new account is refused without it.
 */
export function isRoutingNumber(routingNumber: string): boolean {
  if (!/^\d{9}$/.test(routingNumber)) return false;
  const sum = Array.from(routingNumber, Number).reduce(
    (total, digit, index) => total + digit * [3, 7, 1][index % 3]!,
    0,
  );
  return sum % 10 === 0;
}
