import { z } from 'zod/mini';
import { copied } from './text.ts';

/**
 * The form types of the messages to staff, as the spec names them; the last two have no endpoint of
 * their own.
 */
export const formTypes = {
  maintenance: 'maintenance_request_form',
  insurance: 'insurance_request',
  gateAccess: 'request_gate_access_form',
  esign: 'resend_esign_documents_form',
  tenantUpdate: 'request_tenant_update',
  cardToAch: 'autopayCreditCardToAch',
  achPayment: 'notifyAchPayment',
} as const;

/** Who asks, as every staff form sends it along with its own fields: copies that decide nothing. */
export const requesterCopies = {
  formType: copied,
  facilityName: copied,
  unitName: copied,
  tenantId: copied,
  firstName: copied,
  lastName: copied,
  emailAddress: copied,
};

/**
 * What a message to staff answers: it was stored under this reference and goes to the facility by
 * mail. It changes no record.
 */
export const requestReceipt = z.object({ success: z.literal(true), reference: z.string() });
export type RequestReceipt = z.infer<typeof requestReceipt>;

export const exampleReceipt: RequestReceipt = { success: true, reference: 'R-100042' };
