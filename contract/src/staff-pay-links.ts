import { z } from 'zod/mini';
import { id } from './ids.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import { field, staffVerb } from './staff-verb.ts';

const exampleLink = {
  payLinkId: '5d0a7c1e-9f42-4b6d-8e35-2c1b0a9f8e7d',
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  unitName: 'A101',
  amount: 214.5,
};

/**
 * `pay-links create`: a link by which its holder pays what a rental owes, by card or bank account,
 * without signing in. It pays `amount` of what is owed now, all of it where none is named, and
 * never more than is left of that. With `isMailed` the tenant is mailed the link.
 */
export const createPayLink = staffVerb({
  name: 'payLinks.create',
  title: 'Send a pay link',
  summary: 'Makes a link by which what a rental owes can be paid once',
  role: 'clerk',
  isReasonNeeded: true,
  body: z.object({
    ledgerId: field(id, { title: 'Rental' }),
    amount: field(z.optional(paymentAmount), {
      title: 'Amount',
      description: 'All that is owed unless less is named.',
      unit: 'dollars',
    }),
    isMailed: field(z.optional(z.boolean('IsMailed must be true or false.')), {
      title: 'Mail it to the tenant',
    }),
  }),
  reply: z.object({
    /** Null in a preview, and `url` too. */
    payLinkId: z.nullable(id),
    ledgerId: id,
    unitName: z.string(),
    amount: dollars,
    endsAt: z.iso.datetime(),
    url: z.nullable(z.string()),
    mailedTo: z.nullable(z.string()),
  }),
  example: {
    ...exampleLink,
    endsAt: '2026-12-09T16:03:00.000Z',
    url: 'http://localhost:3000/pay/rpt_8Jq3',
    mailedTo: 'dana@example.com',
  },
});

/** `pay-links revoke`: ends a pay link. A payment by it that has begun is completed. */
export const revokePayLink = staffVerb({
  name: 'payLinks.revoke',
  title: 'Revoke a pay link',
  summary: 'Ends a pay link',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ payLinkId: id.check(z.describe('the pay link')) }),
  reply: z.object({ payLinkId: id, ledgerId: id, unitName: z.string(), amount: dollars }),
  example: exampleLink,
  says: ({ amount, unitName }, isDone) => [
    `The link for ${formatMoney(amount)} of ${unitName} ${isDone ? 'is revoked.' : 'will be revoked.'}`,
  ],
});

/** Why a pay link can be paid by no more; `open` where it can. */
export const payLinkStates = {
  open: 'Can be paid',
  paid: 'Nothing is left',
  revoked: 'Revoked',
  declined: 'Too many declines',
  ended: 'Too old',
} as const;

/** A pay link as staff see it; its address is shown only when it is made. */
export const payLinkRow = z.object({
  payLinkId: id,
  ledgerId: id,
  unitName: z.string(),
  /** At its creation, and what is left of it. */
  amount: dollars,
  left: dollars,
  by: z.string(),
  createdAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  state: z.enum(Object.keys(payLinkStates) as (keyof typeof payLinkStates)[]),
});
export type PayLinkRow = z.infer<typeof payLinkRow>;
