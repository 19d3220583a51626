import type { Vault } from '#crypto/vault.ts';
import type { Block } from '#emails/email.ts';

/** The two forms of what a mail says. */
export type MailBody = { text: string; html: string };
type StoredBody = { text_body: string; html_body: string };

/** The columns of a mail's body: sealed, because links and codes in it open what they are for. */
export function sealBody(vault: Vault, mailId: string, { text, html }: MailBody): StoredBody {
  return {
    text_body: vault.seal('mailText', mailId, text),
    html_body: vault.seal('mailHtml', mailId, html),
  };
}

/** The body of a stored mail; empty once it has been deleted (docs/retention.md). */
export function openBody(vault: Vault, mail: StoredBody & { id: string }): MailBody {
  const { id, text_body, html_body } = mail;
  return {
    text: text_body && vault.open('mailText', id, text_body),
    html: html_body && vault.open('mailHtml', id, html_body),
  };
}

/** The blocks of a mail that may be merged with others, for the column `blocks`. */
export function sealBlocks(vault: Vault, mailId: string, blocks: Block[]): string {
  return vault.seal('mailBlocks', mailId, JSON.stringify(blocks));
}

/** The blocks that `sealBlocks` sealed. */
export function openBlocks(vault: Vault, mailId: string, sealed: string): Block[] {
  return JSON.parse(vault.open('mailBlocks', mailId, sealed)) as Block[];
}
