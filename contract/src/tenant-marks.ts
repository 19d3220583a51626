import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { id } from './ids.ts';
import { dollars, formatMoney } from './money.ts';
import { taxWords } from './rentals.ts';
import { field, staffVerb, tenantRecordId } from './staff-verb.ts';
import { requiredText } from './text.ts';

const exampleId = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const named = z.object({ tenantId: id, name: z.string() });
const exampleName = { tenantId: exampleId, name: 'Dana Reyes' };

/**
 * `tenants refuse`: nothing more is rented to the person, here or at another facility of the
 * operator where a record has the same name and address. Quotes and move-ins are refused;
 * current rentals continue. The reason is required and shown to staff.
 */
export const refuseTenant = staffVerb({
  name: 'tenants.refuse',
  title: 'Do not rent to a tenant',
  summary: 'Refuses quotes and move-ins for a tenant from now on',
  role: 'manager',
  isReasonNeeded: 'everywhere',
  body: z.object({ tenantId: tenantRecordId }),
  reply: named,
  example: exampleName,
  says: ({ name }, isDone) => [
    `Quotes and move-ins for ${name} ${isDone ? 'are' : 'will be'} refused until a manager allows them again.`,
    'Current rentals continue.',
  ],
});

/** `tenants accept`: the person may rent again. */
export const acceptTenant = staffVerb({
  name: 'tenants.accept',
  title: 'Rent to a tenant again',
  summary: 'Allows quotes and move-ins for a tenant again',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({ tenantId: tenantRecordId }),
  reply: named,
  example: exampleName,
  says: ({ name }, isDone) => [`${name} ${isDone ? 'may' : 'will be able to'} rent again.`],
});

/**
 * `tenants tax`: exempts a tenant from the facility's taxes on rent by a paper, or ends that: each
 * current rental from its first bill on that is due on `on` or later, and every new one.
 */
export const changeTenantTax = staffVerb({
  name: 'tenants.tax',
  title: 'Change the tax of a tenant',
  summary: 'Exempts a tenant from taxes on rent, or ends that, from a day on',
  role: 'manager',
  isReasonNeeded: true,
  body: z
    .object({
      tenantId: tenantRecordId,
      taxes: field(z.enum(['charged', 'none']), taxWords),
      paper: field(z.optional(requiredText('Certificate', 100)), {
        title: 'Certificate',
        description: 'Its number or place in your files; needed where no taxes are charged.',
      }),
      on: field(calendarDate, {
        title: 'From',
        description: 'Bills that are due on this day or later; new rentals at once.',
      }),
    })
    .check(
      z.refine(
        ({ taxes, paper }) => (taxes === 'none') === (paper !== undefined),
        'Give the certificate of a tenant who is exempt, and of no other.',
      ),
    ),
  reply: z.object({
    paper: z.nullable(z.string()),
    on: calendarDate,
    /** The rentals whose tax changes, with the first bill as it looks today; null for none. */
    rentals: z.array(
      z.object({
        ledgerId: id,
        unitName: z.string(),
        firstBill: z.nullable(z.object({ dueOn: calendarDate, before: dollars, total: dollars })),
      }),
    ),
  }),
  example: {
    paper: 'TX 01-339, 11/2026',
    on: '2026-12-01',
    rentals: [
      {
        ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
        unitName: 'A101',
        firstBill: { dueOn: '2026-12-14', before: 216.5, total: 200 },
      },
    ],
  },
  says: ({ paper, on, rentals }) => [
    paper === null ? 'New rentals are taxed.' : `New rentals are not taxed, by ${paper}.`,
    ...rentals.map(({ unitName, firstBill }) =>
      firstBill === null
        ? `${unitName}: from ${formatDate(on)} on.`
        : `${unitName}: ${formatMoney(firstBill.total)} on ${formatDate(firstBill.dueOn)}, instead of ${formatMoney(firstBill.before)}.`,
    ),
  ],
});
