import { formatPhone } from '@gatehouse/contract/phone';
import { facts, paragraph, type Block, type Email, type Fact } from '#emails/email.ts';

/**
 * The requester, the subject and the place, all from the database: copies in a form are ignored.
 */
export type StaffMessage = {
  reference: string;
  facilityName: string;
  /** The unit concerned, or all that the tenant rents where it concerns the tenant. */
  unitNames: string[];
  tenant: { name: string; phone: string | null; email: string };
};

/** A message to staff: its title, the requester, and the content of its template. */
export function staffEmail(title: string, message: StaffMessage, blocks: Block[]): Email {
  const { reference, facilityName, unitNames, tenant } = message;
  const units = unitNames.join(', ');
  return {
    subject: [`${reference}: ${title}`, ...(unitNames.length === 1 ? [`unit ${units}`] : [])].join(
      ', ',
    ),
    blocks: [
      paragraph(title),
      factsOf([
        ['Reference', reference],
        ['Facility', facilityName],
        [unitNames.length > 1 ? 'Units' : 'Unit', units || 'none'],
        ['Tenant', tenant.name],
        ['Phone', tenant.phone === null ? 'none on file' : formatPhone(tenant.phone)],
        ['Email', tenant.email],
      ]),
      ...blocks,
    ],
  };
}

/** Rows of label and value, each on one line, so that a value cannot look like another row. */
export function factsOf(rows: Fact[]): Block {
  return facts(
    rows.map(([label, value]) => [label, value.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')]),
  );
}

/** The tenant's text under its label. */
export function quoteOf(label: string, text: string): Block[] {
  return [paragraph(`${label}:`), { kind: 'quote', text }];
}

/** Added to a request about a record that only staff change. */
export const NOTHING_CHANGED: Block = paragraph(
  'The records are unchanged. Please get in touch with the tenant.',
);
