import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { id } from './ids.ts';
import { dollars, formatMoney } from './money.ts';
import { personName } from './person-name.ts';
import { phoneNumber } from './phone-number.ts';
import { taxWords } from './rentals.ts';
import { field, staffVerb, tenantRecordId } from './staff-verb.ts';
import { emailAddress, optionalText, requiredText } from './text.ts';

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

/** Whom the facility writes to for a tenant who died; null where it was not given. */
export const executor = z.object({
  name: z.string(),
  relation: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  note: z.nullable(z.string()),
});

/**
 * `tenants recordDeath`: ends autopay and sign-in of a tenant who died, with the reminders, mails
 * and texts to them. Bills, notices and receipts go to the executor from then on. Rentals, gate and
 * billing stay as they are. Once more: another executor.
 */
export const recordDeath = staffVerb({
  name: 'tenants.recordDeath',
  title: 'Record a death',
  summary: 'Ends autopay, sign-in and mails of a tenant who died, and keeps the executor',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    tenantId: tenantRecordId,
    name: field(personName('Executor'), {
      title: 'Executor',
      description: 'Or who reported it; you can name another later.',
    }),
    relation: field(optionalText('Relation', 100), { title: 'Relation' }),
    phone: field(z.optional(phoneNumber), { title: 'Phone' }),
    email: field(z.optional(emailAddress('Email')), {
      title: 'Email',
      format: 'email',
      description: 'For bills, notices and receipts; it signs in to nothing.',
    }),
    note: field(optionalText('Note', 500), { title: 'Note' }),
  }),
  reply: z.object({
    tenantId: id,
    tenantName: z.string(),
    executor,
    /** The address that signs in no more. */
    closedEmail: z.string(),
    /** The units of which autopay ends. */
    autopayOf: z.array(z.string()),
    sessionsEnded: z.int(),
    /** Mails and texts that waited and are not sent. */
    dropped: z.int(),
    /** The units that are rented now, whose codes still open. */
    units: z.array(z.string()),
    /** The facilities in reach where another record has the same name and address. */
    alsoAt: z.array(z.string()),
  }),
  example: {
    tenantId: exampleId,
    tenantName: 'Dana Reyes',
    executor: {
      ...{ name: 'Ann Reyes', relation: 'Daughter', phone: '8175550119' },
      ...{ email: 'ann@example.com', note: null },
    },
    closedEmail: 'dana@example.com',
    autopayOf: ['A101'],
    sessionsEnded: 1,
    dropped: 2,
    units: ['A101'],
    alsoAt: [],
  },
  says: ({ tenantName, executor: who, ...reply }, isDone) => [
    `${tenantName} ${isDone ? 'is' : 'will be'} recorded as deceased.`,
    who.email === null
      ? `${who.name} is the contact. Without an email nothing is mailed.`
      : `Bills, notices and receipts go to ${who.name}, ${who.email}.`,
    reply.autopayOf.length > 0
      ? `Autopay ends for ${reply.autopayOf.join(', ')}. It cannot be given back.`
      : 'Autopay is not on.',
    `${reply.closedEmail} signs in no more (${reply.sessionsEnded} signed in now) and gets no mail, text or reminder; ${reply.dropped} that wait are not sent.`,
    'Rentals and billing continue until the move-out.',
    ...(reply.alsoAt.length > 0
      ? [`Also on record at ${reply.alsoAt.join(', ')}: record it there too.`]
      : []),
  ],
  warns: ({ units }) =>
    units.length === 0
      ? null
      : `The gate code of ${units.join(', ')} still opens: overlock the units that no one may enter.`,
});

/**
 * `tenants revokeDeath`: takes a death back that was recorded by mistake. Mails, texts and
 * reminders go to the tenant again, who is mailed the way to sign up; autopay stays off.
 */
export const revokeDeath = staffVerb({
  name: 'tenants.revokeDeath',
  title: 'Take back a recorded death',
  summary: 'Takes a recorded death back, and invites the tenant to sign up again',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({ tenantId: tenantRecordId }),
  reply: z.object({ ...named.shape, email: z.string(), isInvited: z.boolean() }),
  example: { ...exampleName, email: 'dana@example.com', isInvited: true },
  says: ({ name, email, isInvited }, isDone) => [
    `${name} ${isDone ? 'is' : 'will be'} no longer recorded as deceased: mails and reminders go to ${email} again.`,
    isInvited
      ? `The way to sign up again ${isDone ? 'is' : 'will be'} mailed.`
      : 'No invitation is mailed: the address signs in already, or reaches no record.',
    'Autopay stays off until the tenant sets it up again.',
  ],
});
