import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { facility } from './facilities.ts';
import { dollars, paymentAmount } from './money.ts';
import {
  ach,
  creditCard,
  onePaymentMethod,
  tokenizedAch,
  tokenizedCard,
} from './payment-methods.ts';

/** How long a pay link works, in days from its creation. */
export const PAY_LINK_DAYS = 14;

/**
 * Said of every link that cannot be paid by, alike: one that is unknown, altered, paid, revoked or
 * too old, or whose payments were declined too often.
 */
export const payLinkDead = () =>
  t(
    'This pay link does not work. It may have been paid, or be too old. Please ask your facility for a new one.',
  );

/** Said with 422 where less is owed by now than the page shows. */
export const payLinkChanged = () =>
  t('What is left to pay has changed. Please check the amount and pay again.');

const linkParams = z.object({ token: z.string().check(z.maxLength(200)) });

/** What the holder of a pay link sees of the debt: nothing that names the tenant or the unit. */
export const payLinkView = z.object({
  operatorName: z.string(),
  /** The kind of the unit, such as `Covered RV`. */
  unitKind: z.string(),
  /** The first letter of the tenant's first name. */
  tenantInitial: z.string(),
  /** What the link pays: the sum of its creation, or what is left of it. */
  amount: dollars,
  /** As in `getFacility`. */
  hostedFields: facility.shape.hostedFields,
});
export type PayLinkView = z.infer<typeof payLinkView>;

/** GET /pay-links/{token}. 404, with one sentence, for every link that cannot be paid by. */
export const getPayLink = endpoint({
  name: 'getPayLink',
  subject: 'Payments',
  summary: 'What a pay link is for',
  method: 'GET',
  path: '/pay-links/:token',
  access: 'public',
  params: linkParams,
  reply: payLinkView,
  example: {
    operatorName: 'Anchor & Axle',
    unitKind: 'Covered RV',
    tenantInitial: 'D',
    amount: 214.5,
    hostedFields: null,
  },
});

/** A new card or bank account, which pays once: a pay link uses and saves no method. */
const methodOnce = {
  creditCard: z.optional(z.union([z.omit(tokenizedCard, { keepForAutopay: true }), creditCard])),
  ach: z.optional(z.union([z.omit(tokenizedAch, { keepForAutopay: true }), ach])),
};

/**
 * POST /pay-links/{token}/payments: pays what the link is for, wholly. Needs an `Idempotency-Key`:
 * the same key answers the same again, also once the link is dead. 402 declined; 404 as above; 409
 * while a payment of the same rental is being confirmed; 422 where `amount` is not what is left.
 */
export const payByLink = endpoint({
  name: 'payByLink',
  subject: 'Payments',
  summary: 'Pays by a pay link',
  method: 'POST',
  path: '/pay-links/:token/payments',
  access: 'public',
  urgency: 'payment',
  params: linkParams,
  body: z
    .object({
      /** As the page showed it, so that nothing else is charged than was agreed to. */
      amount: paymentAmount,
      ...methodOnce,
    })
    .check(onePaymentMethod),
  reply: z.object({
    status: z.enum(['succeeded', 'pending']),
    receiptNumber: z.string(),
    amount: dollars,
  }),
  example: { status: 'succeeded', receiptNumber: '1000042', amount: 214.5 },
});
