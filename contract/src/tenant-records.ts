import { z } from 'zod/mini';
import { authorizedPerson } from './authorized-persons.ts';
import { calendarDate } from './calendar-date.ts';
import { id } from './ids.ts';
import { dollars } from './money.ts';
import { optionalName, personName } from './person-name.ts';
import { phoneNumber } from './phone-number.ts';
import { field, staffVerb, tenantRecordId } from './staff-verb.ts';
import { stateCode } from './state-code.ts';
import { stateNames } from './states.ts';
import { executor } from './tenant-marks.ts';
import { tenantRecord } from './tenants.ts';
import { emailAddress, optionalText, requiredText } from './text.ts';

/** Why a gate waits for a bank payment to settle, as staff read it after "because". */
export const gateWaitReasons = {
  lockout: 'the unit was locked out when it was paid',
  return: 'an earlier bank payment of the tenant was returned',
} as const;

/** Whether one sign-in may see the records of all names that have the address. */
const joined = field(z.optional(z.boolean()), {
  title: 'One sign-in may see all of them',
  description: 'For records that share the address under other names.',
  isAsked: true,
});

/** The names that one sign-in sees in addition to the record's own, in a sentence. */
function joinedSentence(joinedWith: string[], isDone: boolean): string[] {
  const may = isDone ? 'may see' : 'will be able to see';
  return joinedWith.length === 0
    ? []
    : [`One sign-in ${may} this record and what is on file for ${joinedWith.join(', ')}.`];
}

const exampleId = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';

const company = field(optionalName('Company', 200), {
  title: 'Company',
  description: 'Of a firm: who rents. The names are then those of its contact.',
});

/**
 * `tenants add`: a tenant record at the facility that the caller works for; nothing is rented yet.
 */
export const addTenant = staffVerb({
  name: 'tenants.add',
  title: 'Add a tenant',
  summary: 'Makes a new tenant record at a facility',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({
    company,
    firstName: field(personName('First name'), { title: 'First name' }),
    lastName: field(personName('Last name'), { title: 'Last name' }),
    email: field(emailAddress('Email'), { title: 'Email', format: 'email' }),
    phone: field(phoneNumber, { title: 'Phone' }),
    street1: field(requiredText('Street 1', 200), { title: 'Street 1' }),
    street2: field(optionalText('Street 2', 200), { title: 'Street 2' }),
    city: field(requiredText('City'), { title: 'City' }),
    region: field(stateCode('State'), { title: 'State', names: stateNames }),
    postalCode: field(requiredText('Postal code', 20), { title: 'Postal code' }),
    joined,
  }),
  /** `joinedWith`: the other names that have the address and are joined with the record. */
  reply: z.object({ tenantId: id, joinedWith: z.array(z.string()) }),
  example: { tenantId: exampleId, joinedWith: [] },
  says: ({ joinedWith }, isDone) => [
    `A new record without a rental${isDone ? '' : ': nothing is mailed before it rents a unit'}.`,
    ...joinedSentence(joinedWith, isDone),
  ],
});

/** What of a record `tenants change` changes, in the words of its form. */
export const recordFields = {
  company: 'Company',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  street1: 'Street 1',
  street2: 'Street 2',
  city: 'City',
  region: 'State',
  postalCode: 'Postal code',
  isMilitary: 'Military',
  tags: 'Tags',
} as const;

/** The most tags of a record, and the most characters of one. */
const MOST_TAGS = 10;
const LONGEST_TAG = 30;

/** The tags in a text with commas between them, each once. */
export function tagsOf(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/**
 * `tenants change`: changes the names, phone, address and tags of a record. A field that is not
 * given stays; an empty company or second street line is removed. Of a new phone the address on
 * file is notified, and text messages to the old one end.
 */
export const changeTenantRecord = staffVerb({
  name: 'tenants.change',
  title: 'Change a tenant',
  summary: 'Changes names, phone, address and tags of a tenant record',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({
    tenantId: tenantRecordId,
    company,
    firstName: field(z.optional(personName('First name')), { title: recordFields.firstName }),
    lastName: field(z.optional(personName('Last name')), { title: recordFields.lastName }),
    phone: field(z.optional(phoneNumber), { title: recordFields.phone }),
    street1: field(z.optional(requiredText('Street 1', 200)), { title: recordFields.street1 }),
    street2: field(optionalText('Street 2', 200), { title: recordFields.street2 }),
    city: field(z.optional(requiredText('City')), { title: recordFields.city }),
    region: field(z.optional(stateCode('State')), {
      title: recordFields.region,
      names: stateNames,
    }),
    postalCode: field(z.optional(requiredText('Postal code', 20)), {
      title: recordFields.postalCode,
    }),
    isMilitary: field(z.optional(z.boolean('Military must be true or false.')), {
      title: recordFields.isMilitary,
      description: 'In active service: the law may protect the rental.',
    }),
    tags: field(
      optionalText('Tags', 500).check(
        z.refine((text = '') => {
          const tags = tagsOf(text);
          return tags.length <= MOST_TAGS && tags.every((tag) => tag.length <= LONGEST_TAG);
        }, `Tags are ${MOST_TAGS} at most, each of ${LONGEST_TAG} characters at most.`),
      ),
      { title: recordFields.tags, description: 'With commas between; for staff only.' },
    ),
  }),
  /** What is other than before; null for none. */
  reply: z.object({
    tenantId: id,
    changes: z.array(
      z.object({
        field: z.enum(Object.keys(recordFields) as (keyof typeof recordFields)[]),
        from: z.nullable(z.string()),
        to: z.nullable(z.string()),
      }),
    ),
  }),
  example: {
    tenantId: exampleId,
    changes: [{ field: 'company', from: null, to: 'Reyes Marine LLC' }],
  },
  says: ({ changes }) =>
    changes.map((one) => `${recordFields[one.field]}: ${one.from ?? 'none'} → ${one.to ?? 'none'}`),
});

/**
 * `tenants email`: changes the address of a record. Users of the old address lose this record and
 * are signed out everywhere; the new address has to register. Both addresses are notified.
 */
export const changeTenantEmail = staffVerb({
  name: 'tenants.email',
  title: 'Change an email',
  summary: 'Changes the email address of a tenant record',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({
    tenantId: tenantRecordId,
    email: field(emailAddress('Email'), { title: 'New email', format: 'email' }),
    joined,
  }),
  /** `joinedWith` as of `tenants add`. */
  reply: z.object({
    tenantId: id,
    email: z.string(),
    sessionsEnded: z.int(),
    joinedWith: z.array(z.string()),
  }),
  example: {
    tenantId: exampleId,
    email: 'dana.reyes@example.com',
    sessionsEnded: 1,
    joinedWith: [],
  },
  says: ({ email, sessionsEnded, joinedWith }, isDone) => [
    `The record ${isDone ? 'signs in' : 'will sign in'} with ${email}.`,
    `${sessionsEnded} ${sessionsEnded === 1 ? 'session ends' : 'sessions end'}.`,
    ...joinedSentence(joinedWith, isDone),
  ],
});

/**
 * `tenants join`: says that one sign-in may see the records that have the address of this one,
 * although their names differ. Until then the address reaches none of them but those that it signs
 * in to already. Another address of a record takes it back.
 */
export const joinTenants = staffVerb({
  name: 'tenants.join',
  title: 'Join a shared address',
  summary: 'Lets one sign-in see the records that share an address',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ tenantId: tenantRecordId }),
  reply: z.object({ tenantId: id, email: z.string(), joinedWith: z.array(z.string()) }),
  example: { tenantId: exampleId, email: 'office@example.com', joinedWith: ['Ann Lee'] },
  says: ({ email, joinedWith }, isDone) => [
    `${email} ${isDone ? 'may' : 'will be able to'} sign in to this record.`,
    ...joinedSentence(joinedWith, isDone),
  ],
});

function minutesOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** The most tenants who are invited at once. */
export const MOST_INVITED = 1000;

/**
 * `tenants invite`: mails the way to register to tenants of a facility who rent there, have no
 * sign-in yet and whose address was not invited before, by name; again for the next of them. The
 * mails are sent four a second.
 */
export const inviteTenants = staffVerb({
  name: 'tenants.invite',
  title: 'Invite tenants',
  summary: 'Mails the way to sign up to tenants of a facility who were not invited yet',
  role: 'owner',
  isReasonNeeded: false,
  body: z.object({
    most: field(
      z.optional(
        z
          .int('It must be a whole number.')
          .check(
            z.gte(1, `It must be 1 to ${MOST_INVITED}.`),
            z.lte(MOST_INVITED, `It must be 1 to ${MOST_INVITED}.`),
          ),
      ),
      { title: 'At most', description: `All, up to ${MOST_INVITED}, unless a number is given.` },
    ),
  }),
  /** `left` are those who can be invited next; `text` is the mail as it is in English. */
  reply: z.object({
    invited: z.int(),
    left: z.int(),
    names: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
  }),
  example: {
    invited: 1,
    left: 0,
    names: ['Dana Reyes'],
    subject: 'Your account at Eagle Mountain Storage',
    text: 'You can now see your rentals and pay for them online.',
  },
  says: ({ invited, left, names, subject, text }, isDone) => [
    `${invited} ${isDone ? 'invited by mail' : 'will be invited by mail'}${invited === 0 ? '' : `: ${names.join(', ')}`}.`,
    ...(invited > 4 ? [`Four mails are sent a second: it takes ${minutesOf(invited / 4)}.`] : []),
    `${left} more can be invited after that.`,
    ...(isDone ? [] : [`The mail “${subject}”: ${text}`]),
  ],
});

/** The most tenant records that are found. */
export const MOST_FOUND = 50;

/** `tenants find`: the records that fit a text, the best fit first. */
export const foundTenants = z.object({
  tenants: z.array(
    z.object({
      tenantId: id,
      locationCode: z.string(),
      company: z.nullable(z.string()),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      phone: z.nullable(z.string()),
      /** By unit; those that are moved out with the day. */
      rentals: z.array(
        z.object({
          ledgerId: id,
          unitName: z.string(),
          balance: dollars,
          movedOutOn: z.nullable(calendarDate),
        }),
      ),
    }),
  ),
  /** More than `MOST_FOUND` fit. */
  isMore: z.boolean(),
});
export type FoundTenants = z.infer<typeof foundTenants>;

/** A charge, payment, credit or reversal as staff see it; below 0 in the tenant's favour. */
const entry = z.object({
  entryId: id,
  ledgerId: id,
  unitName: z.string(),
  kind: z.enum(['charge', 'payment', 'credit', 'reversal']),
  postedOn: calendarDate,
  description: z.string(),
  amount: dollars,
  receiptNumber: z.nullable(z.string()),
});

/** The other tenant record of a rental that was assigned. */
const otherRecord = z.object({ tenantId: id, name: z.string() });

/**
 * `tenants show`: one record with all that a clerk is asked about. Numbers of methods are masked to
 * the last four.
 */
export const shownTenant = z.object({
  tenantId: id,
  locationCode: z.string(),
  ...tenantRecord.shape,
  phone: z.nullable(z.string()),
  /** Whether an account signs in for this record: `none`, `active` or `disabled`. */
  signIn: z.enum(['none', 'active', 'disabled']),
  isMilitary: z.boolean(),
  tags: z.array(z.string()),
  /** Why nothing more is rented to them; null where it may be. */
  doNotRent: z.nullable(z.string()),
  /** The certificate by which new rentals are not taxed; null where they are. */
  taxExemptPaper: z.nullable(z.string()),
  /** Of a tenant who died, whom the facility writes to; null of any other. */
  executor: z.nullable(executor),
  /**
   * The other names that have its address, where it reaches no record of them until staff join
   * them; else none.
   */
  unjoinedWith: z.array(z.string()),
  ledgers: z.array(
    z.object({
      ledgerId: id,
      unitName: z.string(),
      rentalRate: dollars,
      balance: dollars,
      paidThrough: calendarDate,
      daysPastDue: z.int(),
      /** Whether the gate is suspended: locked by hand, or owing what the facility suspends for. */
      isLockedOut: z.boolean(),
      /**
       * About when the gate opens, if a bank payment that has not settled is all that suspends it,
       * and why it waits; null otherwise.
       */
      waitsForSettlement: z.nullable(
        z.object({ date: calendarDate, reason: z.enum(['lockout', 'return']) }),
      ),
      /** The facility's day on which staff locked the unit by hand; null where they did not. */
      overlockedOn: z.nullable(calendarDate),
      /** What staff stopped for it; all fields are null of a hold that was imported. */
      hold: z.nullable(
        z.object({
          until: z.nullable(calendarDate),
          by: z.nullable(z.string()),
          why: z.nullable(z.string()),
        }),
      ),
      movedInOn: calendarDate,
      movedOutOn: z.nullable(calendarDate),
      /** Whether `movedOutOn` has come by the facility's day. */
      isEnded: z.boolean(),
      /** Whether the move-out is settled, so that there is a final statement. */
      hasFinalStatement: z.boolean(),
      /**
       * The rent from the first bill on that is due on this day or later; null where none is
       * scheduled.
       */
      scheduledRate: z.nullable(z.object({ rate: dollars, on: calendarDate })),
      /** The unit that the rental continues in from this day; null where no transfer is planned. */
      transfer: z.nullable(z.object({ unitName: z.string(), on: calendarDate })),
      /** The record whose rental this one continues; null where it began anew. */
      cameFrom: z.nullable(otherRecord),
      /** The record that continues it; null where it is not assigned. */
      wentTo: z.nullable(otherRecord),
      /** The method that pays by itself, or null where autopay is off. */
      autopayMethodId: z.nullable(id),
      /** The live consent to autopay. */
      mandate: z.nullable(z.object({ mandateId: id, agreedAt: z.string(), methodId: id })),
      /** The further persons who have a gate code. */
      authorized: z.array(authorizedPerson),
      openCharges: z.array(
        z.object({
          chargeId: id,
          category: z.string(),
          description: z.string(),
          dueOn: calendarDate,
          owed: dollars,
        }),
      ),
    }),
  ),
  methods: z.array(
    z.object({
      methodId: id,
      type: z.enum(['creditCard', 'ach']),
      description: z.string(),
      expiresOn: z.nullable(z.string()),
      isRefused: z.boolean(),
    }),
  ),
  /** The last 20 of all ledgers, newest first. */
  entries: z.array(entry),
});
export type ShownTenant = z.infer<typeof shownTenant>;
