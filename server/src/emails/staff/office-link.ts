import type { Email } from '#emails/email.ts';

/** Adds the link to the request in the office to a message to staff. */
export function withOfficeLink(email: Email, url: string): Email {
  return {
    ...email,
    blocks: [...email.blocks, { kind: 'link', label: 'Reply or set the status', url }],
  };
}
