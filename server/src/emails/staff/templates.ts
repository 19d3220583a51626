import type { RequestKind } from '#db/tables.ts';
import type { Email } from '#emails/email.ts';
import { achPaymentNoticeEmail } from './ach-payment-notice.ts';
import { cardToAchNoticeEmail } from './card-to-ach-notice.ts';
import { contactUpdateRequestEmail } from './contact-update-request.ts';
import { esignRequestEmail } from './esign-request.ts';
import { gateAccessRequestEmail } from './gate-access-request.ts';
import { insuranceRequestEmail } from './insurance-request.ts';
import { maintenanceRequestEmail } from './maintenance-request.ts';
import { moveOutRequestEmail } from './move-out-request.ts';
import type { StaffMessage } from './staff-message.ts';

// Each template takes its own kind of facts, which are stored with the request.
const templates: Record<RequestKind, (message: StaffMessage, facts: never) => Email> = {
  maintenance_request_form: maintenanceRequestEmail,
  insurance_request: insuranceRequestEmail,
  request_gate_access_form: gateAccessRequestEmail,
  resend_esign_documents_form: esignRequestEmail,
  request_tenant_update: contactUpdateRequestEmail,
  autopayCreditCardToAch: cardToAchNoticeEmail,
  notifyAchPayment: achPaymentNoticeEmail,
  move_out: moveOutRequestEmail,
};

/** The mail of a message, rendered again from its stored facts. */
export function staffEmailOf(kind: RequestKind, reference: string, details: unknown): Email {
  // Stored by fileRequest: requester and place, with the facts of this kind's template.
  const { facilityName, unitNames, tenant, ...facts } = details as Omit<StaffMessage, 'reference'>;
  return templates[kind]({ reference, facilityName, unitNames, tenant }, facts as never);
}
