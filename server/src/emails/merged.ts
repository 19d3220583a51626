import { t } from '@gatehouse/language/t';
import { isDeepStrictEqual } from 'node:util';
import { heading, paragraph, type Email } from './email.ts';

/**
 * Several mails to one person as one, each in full below its subject; a greeting that all begin
 * with appears once.
 */
export function mergedEmail(subject: string, emails: Email[]): Email {
  const [greeting] = emails[0]!.blocks;
  const isShared = emails.every(({ blocks }) => isDeepStrictEqual(blocks[0], greeting));
  return {
    subject,
    blocks: [
      ...(isShared ? [greeting!] : []),
      paragraph(
        t(
          'These came shortly after each other, so they are in one email. The oldest is the first.',
        ),
      ),
      ...emails.flatMap((email) => [
        heading(email.subject),
        ...(isShared ? email.blocks.slice(1) : email.blocks),
      ]),
    ],
  };
}
