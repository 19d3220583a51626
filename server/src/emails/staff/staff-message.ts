import { formatPhone } from '@gatehouse/contract/phone';
import type { Block, Email } from '#emails/email.ts';

/** Who asks, about what and where, all from the database: what a form says of it decides nothing (safety finding 1). */
export type StaffMessage = {
  reference: string;
  facilityName: string;
  /** The unit that it is about, or all that the tenant rents where it is about the tenant. */
  unitNames: string[];
  tenant: { name: string; phone: string | null; email: string };
};

/** A message to staff: what it is, from whom, and then what its own template says. */
export function staffEmail(title: string, message: StaffMessage, blocks: Block[]): Email {
  const { reference, facilityName, unitNames, tenant } = message;
  const units = unitNames.join(', ');
  return {
    subject: [`${reference}: ${title}`, ...(unitNames.length === 1 ? [`unit ${units}`] : [])].join(', '),
    blocks: [
      { kind: 'paragraph', text: title },
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

/** Rows of label and value, each on its one line, so that no value can look like a row of its own. */
export function factsOf(facts: [label: string, value: string][]): Block {
  return {
    kind: 'facts',
    facts: facts.map(([label, value]) => [label, value.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')]),
  };
}

/** What the tenant wrote, marked line by line as somebody else's words. */
export function quoteOf(label: string, text: string): Block[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => `> ${line}`);
  return [
    { kind: 'paragraph', text: `${label}:` },
    { kind: 'paragraph', text: lines.join('\n') },
  ];
}

/** Said where a request is about a record that only staff change. */
export const NOTHING_CHANGED: Block = {
  kind: 'paragraph',
  text: 'The records are unchanged. Please get in touch with the tenant.',
};
