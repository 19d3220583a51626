import { action, facts, paragraph, type Email } from '#emails/email.ts';

type Objection = { id: string; reference: string; facilityName: string; tenantEmail: string };

/** To staff: the tenant did not ask for the change of contact under this reference. */
export function objectionEmail({ id, reference, facilityName, tenantEmail }: Objection): Email {
  return {
    subject: `Do not change the email address: ${reference}`,
    blocks: [
      paragraph(
        `The tenant objected to the contact information update ${reference} at ${facilityName}, by the link that was mailed to the address on file. Somebody else may have been signed in as the tenant. All sessions were ended, and the request is closed.`,
      ),
      facts([
        ['Reference', reference],
        ['Email on file now', tenantEmail],
      ]),
      action('Open the request', `/office/requests/${id}/show`),
      paragraph(
        'If the record was changed already, change it back with “tenants email” and call the tenant at the phone number on file.',
      ),
    ],
  };
}
