import { action, paragraph, type Email } from '#emails/email.ts';

/** A document that a signer has declined, and why. */
export type DeclinedDocument = {
  documentName: string;
  signerName: string;
  unitName: string;
  tenantId: string;
  reason: string;
};

export function documentDeclinedEmail(declined: DeclinedDocument): Email {
  const { documentName, signerName, unitName, tenantId, reason } = declined;
  return {
    subject: `Declined: ${documentName}, unit ${unitName}`,
    blocks: [
      paragraph(`${signerName} has declined to sign “${documentName}” for unit ${unitName}:`),
      { kind: 'quote', text: reason },
      paragraph('Withdraw it, or send a new document or one on paper.'),
      action('Open the tenant', `/office/tenants/${tenantId}/show`),
    ],
  };
}
