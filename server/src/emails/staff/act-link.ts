import type { Block, Email } from '#emails/email.ts';

/** Adds the link to the page of the request to a message to staff. */
export function withActLink(email: Email, url: string, days: number): Email {
  const link: Block[] = [
    { kind: 'link', label: 'Reply or set the status', url },
    {
      kind: 'paragraph',
      text: `The link is for this request alone and works for ${days} days. Whoever has this mail can use it: please do not forward it to anybody who may not answer the tenant.`,
    },
  ];
  return { ...email, blocks: [...email.blocks, ...link] };
}
