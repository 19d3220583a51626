import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { id } from './ids.ts';
import { ledgerPathParams } from './ledgers.ts';
import { exampleReceipt, requesterCopies, requestReceipt } from './requests.ts';
import { tenantPathParams } from './tenants.ts';

/** The envelope state that still waits for the tenant's signature. */
export const PENDING_ENVELOPE_STATUS_ID = 1;

/** Those of a document that all have signed, that was declined, and whose time to sign is over. */
export const COMPLETED_ENVELOPE_STATUS_ID = 2;
export const DECLINED_ENVELOPE_STATUS_ID = 3;
export const EXPIRED_ENVELOPE_STATUS_ID = 4;

/** An e-sign document; the client keeps those of the ledger it asks for. */
export const esignDocument = z.object({
  ledgerId: id,
  formId: id,
  formName: z.string(),
  envelopeStatus: z.string(),
  envelopeStatusId: z.int(),
  /** Whether it is signed here (signing.ts); missing where it is not. Not in the specification. */
  isSignedHere: z.optional(z.literal(true)),
});
export type EsignDocument = z.infer<typeof esignDocument>;

/** Whether the document waits for the tenant. */
export function isPending(document: EsignDocument): boolean {
  return document.envelopeStatusId === PENDING_ENVELOPE_STATUS_ID;
}

/** GET {prefix}/tenants/{tenantId}/files. */
export const listFiles = endpoint({
  name: 'listFiles',
  subject: 'E-sign',
  summary: 'The e-sign documents of a tenant record',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/files`,
  access: 'tenant',
  params: tenantPathParams,
  reply: z.array(esignDocument),
  example: [
    {
      ledgerId: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
      formId: '6c5b4a39-2817-4605-b4c3-d2e1f0a9b8c7',
      formName: 'Rental Agreement',
      envelopeStatus: 'Sent',
      envelopeStatusId: PENDING_ENVELOPE_STATUS_ID,
    },
  ],
});

/**
 * POST {prefix}/ledgers/{ledgerId}/resend-esign-documents: a message to staff, accepted with
 * nothing pending too.
 */
export const resendEsignDocuments = endpoint({
  name: 'resendEsignDocuments',
  subject: 'E-sign',
  summary: 'Asks the facility to send the e-sign documents of a rental again',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/resend-esign-documents`,
  access: 'tenant',
  params: ledgerPathParams,
  body: z.object(requesterCopies),
  reply: requestReceipt,
  example: exampleReceipt,
});
