import { t } from '@gatehouse/language/t';
import { action, facts, paragraph, type Email } from './email.ts';

/**
 * A late notice: the text of staff, its placeholders filled in, with what is late by unit below it
 * and the way to pay.
 */
export function lateNoticeEmail({
  subject,
  text,
  rows,
  url,
}: {
  subject: string;
  text: string;
  rows: [unit: string, owed: string][];
  url: string;
}): Email {
  return {
    subject,
    blocks: [
      ...text
        .split(/\n{2,}/)
        .filter((part) => part.trim() !== '')
        .map((part) => paragraph(part.trim())),
      facts(rows),
      action(t('See and pay in the portal'), url),
    ],
  };
}
