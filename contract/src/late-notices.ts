import { z } from 'zod/mini';
import { id } from './ids.ts';
import { field, staffVerb } from './staff-verb.ts';
import { requiredText } from './text.ts';

/** What a late notice may hold in braces, with what replaces each. */
export const noticePlaceholders = {
  firstName: 'First name of the tenant',
  lastName: 'Last name of the tenant',
  units: 'The units that are late, such as A101 and C014',
  owed: 'What is owed for them in all',
  owedSince: 'The due date of the oldest of it',
  daysOwed: 'Days since then',
  facility: 'Name of the facility',
  phone: 'Phone of the facility',
} as const;
export type NoticeValues = Record<keyof typeof noticePlaceholders, string>;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The first placeholder that is none, as it was typed; undefined where all are known. */
export function findUnknownPlaceholder(text: string): string | undefined {
  return [...text.matchAll(PLACEHOLDER)].find(
    ([, name]) => !Object.hasOwn(noticePlaceholders, name!),
  )?.[0];
}

/** A text with the values in place of its placeholders. */
export function fillNotice(text: string, values: NoticeValues): string {
  return text.replace(PLACEHOLDER, (typed, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof NoticeValues] : typed,
  );
}

function template(label: string, most: number) {
  return requiredText(label, most).check(
    z.refine((text) => findUnknownPlaceholder(text) === undefined, {
      error: ({ input }) =>
        `${findUnknownPlaceholder(String(input))} is no placeholder: there are ${Object.keys(
          noticePlaceholders,
        )
          .map((name) => `{${name}}`)
          .join(', ')}.`,
    }),
  );
}

/** Subject and text of a late notice, with placeholders. */
export const noticeSubject = template('Subject', 150).check(
  z.refine((text) => !/[\r\n]/.test(text), 'The subject must be one line.'),
);
export const noticeText = template('Text', 4000);

/** The text that a facility has before it keeps one of its own. */
export const standardNotice = {
  name: 'Standard',
  subject: 'Unit {units}: {owed} is past due',
  text: `Hello {firstName},

{owed} has been due since {owedSince} for {units} at {facility}. Please pay it in the portal or at the office.

If you have paid in the meantime, thank you. If you have a question, please call us at {phone}.`,
} as const;

/** The most rentals that are named. */
export const MOST_NOTICES = 200;

const noticeBody = z.object({
  ledgerIds: z
    .array(id)
    .check(
      z.minLength(1, 'Name a rental.'),
      z.maxLength(MOST_NOTICES, `Name at most ${MOST_NOTICES} rentals.`),
      z.describe('the rentals'),
    ),
  subject: field(noticeSubject, {
    title: 'Subject',
    description: 'With placeholders such as {owed}.',
  }),
  text: field(noticeText, { title: 'Text', description: 'With placeholders such as {owed}.' }),
});

const noticeReply = z.object({
  /** How many tenants. */
  recipients: z.int(),
  first: z.nullable(z.object({ to: z.string(), subject: z.string(), text: z.string() })),
  /** Who gets none, and why not. */
  skipped: z.array(z.object({ tenantId: id, tenantName: z.string(), because: z.string() })),
});

const noticeExample = {
  recipients: 1,
  first: {
    to: 'dana@example.com',
    subject: 'Unit A101: $214.50 is past due',
    text: 'Hello Dana,\n\n$214.50 has been due since 11/14/2026 for A101.',
  },
  skipped: [
    {
      tenantId: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
      tenantName: 'Sam Ortiz',
      because: 'Mailed today by Ana Flores.',
    },
  ],
};

/**
 * `notices.send`: mails a late notice to the tenants of rentals of one facility. Each tenant record
 * gets one mail, about all of its rentals that are late and not on hold, and at most one a day of
 * the facility, no matter who sends it. `first` is the mail to the first of them.
 */
export const sendLateNotices = staffVerb({
  name: 'notices.send',
  title: 'Mail late notices',
  summary: 'Mails a late notice to the tenants of rentals',
  role: 'clerk',
  isReasonNeeded: false,
  body: noticeBody,
  reply: noticeReply,
  example: noticeExample,
});

/**
 * `notices.print`: writes a late letter to the tenants of rentals of one facility, by the rules of
 * `notices.send`, and at most one a day for each. `printingId` is what `getLateLetters` draws them
 * by, and `first.to` the lines of the first one's address.
 */
export const printLateLetters = staffVerb({
  name: 'notices.print',
  title: 'Print late letters',
  summary: 'Writes late letters to the tenants of rentals, to print',
  role: 'clerk',
  isReasonNeeded: false,
  isByAccount: true,
  body: noticeBody,
  reply: z.extend(noticeReply, { printingId: id }),
  example: {
    ...noticeExample,
    first: { ...noticeExample.first, to: 'Dana Reyes\n12 Elm St\nAzle, TX 76020' },
    skipped: [{ ...noticeExample.skipped[0]!, because: 'Printed today by Ana Flores.' }],
    printingId: '0b8b4a0e-8f1f-4b43-9f0e-6b0a4a4f1c55',
  },
});
