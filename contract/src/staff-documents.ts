import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { formatDate } from './dates.ts';
import { id } from './ids.ts';
import { personName } from './person-name.ts';
import { field, rentalId, staffVerb } from './staff-verb.ts';
import { emailAddress, requiredText } from './text.ts';
import { plainText } from './typed.ts';

/** The longest text of a form. */
const FORM_MAX = 40_000;

/** The largest PDF of a form in bytes: it is mailed once it is signed. */
export const FORM_FILE_BYTES = 4 * 1024 * 1024;

const exampleForm = { formId: 'b7a6c5d4-1e2f-4a3b-8c9d-0e1f2a3b4c5d', name: 'Rental Agreement' };

/** Who signs after the tenant, in place of who is named in the form. */
const secondSigner = {
  secondName: field(z.optional(personName('Second signer')), {
    title: 'Second signer',
    description: 'Signs after the tenant, where the text has places for that.',
  }),
  secondEmail: field(z.optional(emailAddress('Email of the second signer')), {
    title: 'Email of the second signer',
    format: 'email',
  }),
};

const isBothOrNone = z.refine<{
  secondName?: string | undefined;
  secondEmail?: string | undefined;
}>(
  ({ secondName, secondEmail }) => (secondName === undefined) === (secondEmail === undefined),
  'Give name and email of the second signer, or neither.',
);

/**
 * `forms add`: a form of a facility, a text or a PDF. The text has paragraphs with empty lines
 * between them, headings that begin with `#`, fields in braces, and places to sign as paragraphs of
 * their own (docs/esign.md). The PDF, a data URL, has form fields of the same names. A form is not
 * changed: retire it, and add it anew.
 */
export const addForm = staffVerb({
  name: 'forms.add',
  title: 'Add a document form',
  summary: 'Adds a text or PDF with fields of which documents to sign are made',
  role: 'manager',
  isReasonNeeded: false,
  body: z
    .object({
      name: field(requiredText('Name', 100), { title: 'Name' }),
      text: field(
        z.optional(
          z
            .string('Text must be text.')
            .check(
              z.overwrite(plainText),
              z.trim(),
              z.minLength(1, 'Text is required.'),
              z.maxLength(FORM_MAX, 'Text is too long.'),
            ),
        ),
        { title: 'Text', description: 'With fields such as {tenant}, and {signature}.' },
      ),
      pdf: field(
        z.optional(
          z
            .string('The PDF must be a data URL.')
            .check(
              z.regex(/^data:application\/pdf;base64,/, 'Choose a PDF.'),
              z.maxLength((FORM_FILE_BYTES / 3) * 4 + 100, 'The PDF is larger than 4 MB.'),
            ),
        ),
        { title: 'PDF', description: 'In place of a text.', format: 'pdf' },
      ),
      isAtMoveIn: field(z.optional(z.boolean('IsAtMoveIn must be true or false.')), {
        title: 'Each move-in makes one',
      }),
      ...secondSigner,
    })
    .check(
      isBothOrNone,
      z.refine(
        ({ text, pdf }) => (text === undefined) !== (pdf === undefined),
        'Give a text or a PDF.',
      ),
    ),
  bodyBytes: Math.ceil(FORM_FILE_BYTES / 3) * 4 + 64 * 1024,
  reply: z.object({
    /** Null in a preview. */
    formId: z.nullable(id),
    name: z.string(),
    /** How many fields are filled in, and how many places are signed. */
    fields: z.int(),
    places: z.int(),
    /** Of a PDF: its form fields, and what each is for, as in a text. */
    found: z.array(z.object({ name: z.string(), page: z.int(), means: z.string() })),
  }),
  example: { ...exampleForm, fields: 9, places: 2, found: [] },
  says: ({ name, fields, places, found }, isDone) => [
    `${name} ${isDone ? 'is added' : 'will be added'}: ${fields} fields, ${places} places to sign.`,
    ...found.map((one) => `Page ${one.page}: “${one.name}” is understood as “${one.means}”.`),
  ],
});

/** `forms retire`: no document is made of it any more; those that were made stay. */
export const retireForm = staffVerb({
  name: 'forms.retire',
  title: 'Retire a document form',
  summary: 'Ends the use of a form; its documents stay',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({ formId: id.check(z.describe('the form')) }),
  reply: z.object({ formId: id, name: z.string() }),
  example: exampleForm,
  says: ({ name }, isDone) => [`${name} ${isDone ? 'is retired.' : 'will be retired.'}`],
});

const exampleDocument = {
  documentId: '6c5b4a39-2817-4605-b4c3-d2e1f0a9b8c7',
  ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
  unitName: 'A101',
  formName: 'Rental Agreement',
};
const documentReply = {
  documentId: id,
  ledgerId: id,
  unitName: z.string(),
  formName: z.string(),
};
const mailedReply = {
  mailedTo: z.string(),
  /** The last day on which it can be signed, by the calendar of the facility. */
  endsOn: calendarDate,
};
const exampleMailed = { mailedTo: 'dana@example.com', endsOn: '2026-12-20' };

/** `documents send`: makes a document of a form for a rental, and mails the tenant its link. */
export const sendDocument = staffVerb({
  name: 'documents.send',
  title: 'Send a document to sign',
  summary: 'Makes a document of a form for a rental, and mails the link to sign it',
  role: 'clerk',
  isReasonNeeded: false,
  body: z
    .object({
      ledgerId: rentalId,
      formId: field(id, { title: 'Form' }),
      ...secondSigner,
    })
    .check(isBothOrNone),
  reply: z.object({
    ...documentReply,
    /** Null in a preview. */
    documentId: z.nullable(id),
    ...mailedReply,
  }),
  example: { ...exampleDocument, ...exampleMailed },
  says: ({ formName, unitName, mailedTo }, isDone) => [
    `${formName} of ${unitName} ${isDone ? 'was mailed' : 'will be mailed'} to ${mailedTo}.`,
  ],
});

const documentId = id.check(z.describe('the document'));

/**
 * `documents resend`: mails a new link to the signer whose turn it is, at the address on file;
 * earlier links end, and the days to sign begin anew.
 */
export const resendDocument = staffVerb({
  name: 'documents.resend',
  title: 'Mail the link again',
  summary: 'Mails a new link to sign a document, also where its time was over',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ documentId }),
  reply: z.object({ ...documentReply, ...mailedReply }),
  example: { ...exampleDocument, ...exampleMailed },
  says: ({ formName, mailedTo, endsOn }, isDone) => [
    `${formName} ${isDone ? 'was mailed' : 'will be mailed'} to ${mailedTo}, to be signed by ${formatDate(endsOn)}.`,
  ],
});

/** `documents void`: withdraws a document that is not signed by all; its links end. */
export const voidDocument = staffVerb({
  name: 'documents.void',
  title: 'Withdraw a document',
  summary: 'Withdraws a document that is not signed by all',
  role: 'clerk',
  isReasonNeeded: true,
  body: z.object({ documentId }),
  reply: z.object(documentReply),
  example: exampleDocument,
  says: ({ formName, unitName }, isDone) => [
    `${formName} of ${unitName} ${isDone ? 'is withdrawn.' : 'will be withdrawn.'}`,
  ],
});

/** A form as staff see it, with its text. */
export const formRow = z.object({
  formId: id,
  locationCode: z.string(),
  name: z.string(),
  /** Null of a PDF, which has pages. */
  text: z.nullable(z.string()),
  pages: z.nullable(z.int()),
  isAtMoveIn: z.boolean(),
  secondName: z.nullable(z.string()),
  secondEmail: z.nullable(z.string()),
  by: z.string(),
  createdAt: z.iso.datetime(),
});
export type FormRow = z.infer<typeof formRow>;

export const documentStates = {
  sent: 'To be signed',
  completed: 'Signed',
  declined: 'Declined',
  expired: 'Too old',
  voided: 'Withdrawn',
} as const;

/** A document of a rental as staff see it. */
export const documentRow = z.object({
  documentId: id,
  ledgerId: id,
  unitName: z.string(),
  formName: z.string(),
  state: z.enum(Object.keys(documentStates) as (keyof typeof documentStates)[]),
  /** Whether it is signed here; of others staff keep the state only, and the rest is empty. */
  isSignedHere: z.boolean(),
  endsAt: z.nullable(z.iso.datetime()),
  hasFile: z.boolean(),
  signers: z.array(
    z.object({
      name: z.string(),
      email: z.string(),
      signedAt: z.nullable(z.iso.datetime()),
      declineReason: z.nullable(z.string()),
    }),
  ),
});
export type DocumentRow = z.infer<typeof documentRow>;
