import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { id } from './ids.ts';
import { paper } from './papers.ts';
import { formatPhone } from './phone.ts';
import { tenantPathParams } from './tenants.ts';
import { requiredText } from './text.ts';

/** How long a document can be signed, in days from the day on which it was sent. */
export const SIGNING_DAYS = 30;

/** Said of every link that opens nothing, alike: unknown, altered, replaced, withdrawn, too old. */
export const signingLinkDead = () =>
  t(
    'This link does not work. It may be too old, or a newer email has replaced it. Please ask your facility for a new one.',
  );

/** How a signer reaches the facility. */
export type SigningContact = { facilityPhone: string | null };

/** Who asks whom to sign. It names the facility of which `signingConsent` speaks. */
export const signingRequest = (of: { facilityName: string; signerName: string }) =>
  t('{facility} asks {name} to sign this document.', {
    facility: of.facilityName,
    name: of.signerName,
  });

/**
 * What a signer agrees to before signing electronically, a sentence or two each: 15 U.S.C.
 * 7001(c)(1). The right to paper and its cost; the right to withdraw, how, and what follows; what
 * the consent is for; how to change an address; what is needed to read and keep the document.
 */
export function signingConsent({ facilityPhone }: SigningContact): string[] {
  return [
    facilityPhone === null
      ? t(
          'You can have this document on paper instead, at no cost: choose “Decline” and say so, or ask the facility. You can ask for a paper copy after you have signed, too, at no cost.',
        )
      : t(
          'You can have this document on paper instead, at no cost: choose “Decline” and say so, or call the facility at {phone}. You can ask for a paper copy after you have signed, too, at no cost.',
          { phone: formatPhone(facilityPhone) },
        ),
    t(
      'You can withdraw your consent until you have signed, without a fee: choose “Decline” or tell the facility. The document is then signed on paper. What you have signed before stays signed.',
    ),
    t('Your consent is for this document only, and for emailing you its signed copy.'),
    t('If your email address changes, tell the facility, so that emails reach you.'),
    t(
      'You need a device with a current browser and a connection to the internet, an email account, and a program that opens PDF files, with room to keep or a printer to print them.',
    ),
  ];
}

/** What the box says that a signer ticks. */
export const signingAgreement = () =>
  t('I can read this page, and I agree to read and sign this document electronically.');

/** A line of a drawn signature: x and y in turn, in a box of `DRAWING`. */
const stroke = z
  .array(z.int().check(z.gte(0), z.lte(600)))
  .check(z.minLength(2), z.maxLength(2000));

/** The box in which a signature is drawn, in its own units. */
export const DRAWING = { width: 600, height: 200 } as const;

/** The lines of a drawn signature, at most 4000 numbers in all. */
export const strokes = z.array(stroke).check(
  z.minLength(1),
  z.maxLength(60),
  z.refine((lines) => lines.flat().length <= 4000, {
    error: () => t('The drawing is too long. Please clear it and draw a shorter one.'),
  }),
);
export type Strokes = z.infer<typeof strokes>;

/** A part of a document. A place is signed by one signer, 1 for the tenant. */
export const documentBlock = z.union([
  z.object({ kind: z.enum(['heading', 'paragraph']), text: z.string() }),
  z.object({
    kind: z.literal('place'),
    mark: z.enum(['signature', 'initials']),
    signer: z.int(),
    /** Of a PDF: the page it is on, from 1. */
    page: z.optional(z.int()),
  }),
]);
export type DocumentBlock = z.infer<typeof documentBlock>;

/** The most places of a signer. */
export const MOST_PLACES = 200;

/** The indexes of the blocks that a signer signs at, in their order. */
export function placesOf(blocks: DocumentBlock[], signer: number): number[] {
  return blocks.flatMap((block, index) =>
    block.kind === 'place' && block.signer === signer ? [index] : [],
  );
}

/** The first letters of a name's words, as they are signed at a place for initials. */
export function initialsOf(name: string): string {
  return name
    .split(/\s+/u)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('');
}

/** What the holder of a link sees of a document and of the own part in it. */
export const signingView = z.object({
  /** `signed` and `declined`: by this signer, or declined by the other. */
  state: z.enum(['open', 'signed', 'declined']),
  /** Whether everybody has signed. */
  isComplete: z.boolean(),
  documentName: z.string(),
  operatorName: z.string(),
  facilityName: z.string(),
  facilityPhone: z.nullable(z.string()),
  /** As the form or the tenant record has it. */
  signerName: z.string(),
  /** Which places are this signer's. */
  signer: z.int(),
  /** Where it is signed by two: who else signs. */
  otherName: z.nullable(z.string()),
  endsAt: z.iso.datetime(),
  hasConsented: z.boolean(),
  /** The whole document, once the signer has agreed to read it electronically; empty before. */
  blocks: z.array(documentBlock),
  /** Of a document that is a PDF, which `getSigningPdf` answers: `blocks` are its places only. */
  pdf: z.nullable(z.object({ pages: z.int(), bytes: z.int() })),
});
export type SigningView = z.infer<typeof signingView>;

const linkParams = z.object({ token: z.string().check(z.maxLength(200)) });

const exampleView: SigningView = {
  state: 'open',
  isComplete: false,
  documentName: 'Rental Agreement',
  operatorName: 'Anchor & Axle',
  facilityName: 'Anchor & Axle Eagle Mountain',
  facilityPhone: '9725550143',
  signerName: 'Dana Reyes',
  signer: 1,
  otherName: null,
  endsAt: '2026-12-20T16:03:00.000Z',
  hasConsented: true,
  blocks: [
    { kind: 'paragraph', text: 'Dana Reyes rents unit A101.' },
    { kind: 'place', mark: 'signature', signer: 1 },
  ],
  pdf: null,
};

/** GET /signings/{token}. 404, with one sentence, for every link that opens nothing. */
export const getSigning = endpoint({
  name: 'getSigning',
  subject: 'E-sign',
  summary: 'The document that a link is for',
  method: 'GET',
  path: '/signings/:token',
  access: 'public',
  params: linkParams,
  reply: signingView,
  example: exampleView,
});

/**
 * GET /signings/{token}/pdf: a document that is a PDF, as it is signed. 404 where it is none, 409
 * before the consent.
 */
export const getSigningPdf = endpoint({
  name: 'getSigningPdf',
  subject: 'E-sign',
  summary: 'The PDF that a link is for',
  method: 'GET',
  path: '/signings/:token/pdf',
  access: 'public',
  params: linkParams,
  reply: z.extend(paper, {}),
  example: { fileName: 'Lease.pdf', contentType: 'application/pdf', data: 'JVBERi0xLjcK' },
});

/** POST /signings/{token}/consent: agrees to `signingConsent`, once. Answers as `getSigning`. */
export const consentToSign = endpoint({
  name: 'consentToSign',
  subject: 'E-sign',
  summary: 'Agrees to read and sign a document electronically',
  method: 'POST',
  path: '/signings/:token/consent',
  access: 'public',
  params: linkParams,
  body: z.object({
    agreed: z.literal(true, {
      error: () => t('Please agree to read and sign electronically first.'),
    }),
  }),
  reply: z.extend(signingView, {}),
  example: exampleView,
});

/**
 * POST /signings/{token}/signature: signs at every place of the signer, once: after a signature or
 * a refusal it changes nothing and answers the state. 409 before the consent, 422 where a place is
 * missing.
 */
export const signDocument = endpoint({
  name: 'signDocument',
  subject: 'E-sign',
  summary: 'Signs a document',
  method: 'POST',
  path: '/signings/:token/signature',
  access: 'public',
  params: linkParams,
  body: z.object({
    name: requiredText(() => t('Your name'), 100),
    /** Null for a typed signature. */
    drawing: z.nullable(strokes),
    /** The indexes of the blocks where the signer has signed. */
    places: z
      .array(z.int({ error: () => t('Please sign at every place of the document.') }))
      .check(z.maxLength(MOST_PLACES)),
  }),
  reply: z.extend(signingView, {}),
  example: { ...exampleView, state: 'signed', isComplete: true, blocks: [] },
});

/** The longest reason of a refusal. */
export const REASON_MAX = 500;

/** POST /signings/{token}/refusal: declines to sign, with the reason, which staff read. */
export const declineDocument = endpoint({
  name: 'declineDocument',
  subject: 'E-sign',
  summary: 'Declines to sign a document',
  method: 'POST',
  path: '/signings/:token/refusal',
  access: 'public',
  params: linkParams,
  body: z.object({ reason: requiredText(() => t('Reason'), REASON_MAX) }),
  reply: z.extend(signingView, {}),
  example: { ...exampleView, state: 'declined', blocks: [] },
});

const documentParams = z.extend(tenantPathParams, { documentId: id });

/**
 * GET {prefix}/tenants/{tenantId}/documents/{documentId}/link, not in the spec: the token by which
 * a signed-in tenant signs a document of the record, for an hour, and no longer than the session.
 * 404 for one that is not signed here, or was withdrawn; 403 until a kept session is confirmed.
 */
export const getSigningLink = endpoint({
  name: 'getSigningLink',
  subject: 'E-sign',
  summary: 'The link to sign a document of a tenant record',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/documents/:documentId/link`,
  access: 'tenant',
  confirm: true,
  params: documentParams,
  reply: z.object({
    token: z.string(),
    /** Whether everybody has signed it, so that there is a copy and nothing to sign. */
    isComplete: z.boolean(),
  }),
  example: { token: 'rdp_8Jq3', isComplete: false },
});

/**
 * GET {prefix}/tenants/{tenantId}/documents/{documentId}/file, not in the spec: the signed copy.
 * 404 while not everybody has signed.
 */
export const getSignedDocument = endpoint({
  name: 'getSignedDocument',
  subject: 'E-sign',
  summary: 'The signed copy of a document as a PDF',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/documents/:documentId/file`,
  access: 'tenant',
  params: documentParams,
  reply: z.extend(paper, {}),
  example: {
    fileName: 'Rental-Agreement-A101.pdf',
    contentType: 'application/pdf',
    data: 'JVBERi0xLjcK',
  },
});
