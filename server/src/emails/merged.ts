import { t } from '@gatehouse/language/t';
import { isDeepStrictEqual } from 'node:util';
import { action, heading, paragraph, type Block, type Email } from './email.ts';
import { OPEN_OFFICE } from './open-office.ts';

/**
 * Several mails to one person as one, each in full below its subject; a greeting that all begin
 * with appears once. The button that all have is there once, at the end; where they differ they are
 * text, and the button opens the portal or the office.
 */
export function mergedEmail(subject: string, emails: Email[]): Email {
  const [greeting] = emails[0]!.blocks;
  const isShared = emails.every(({ blocks }) => isDeepStrictEqual(blocks[0], greeting));
  const buttons = emails.flatMap(({ blocks }) => blocks.filter(isButton));
  const isOne = buttons.every((button) => isDeepStrictEqual(button, buttons[0]));
  const rest = (blocks: Block[]) =>
    isOne ? blocks.filter((block) => !isButton(block)) : blocks.map(quiet);
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
        ...rest(isShared ? email.blocks.slice(1) : email.blocks),
      ]),
      ...(isOne ? buttons.slice(0, 1) : [startOf(buttons)]),
    ],
  };
}

type Link = Block & { kind: 'link' };

function isButton(block: Block): block is Link {
  return block.kind === 'link' && block.isQuiet !== true;
}

function quiet(block: Block): Block {
  return isButton(block) ? { ...block, isQuiet: true } : block;
}

function startOf(buttons: Link[]): Block {
  return buttons.every(({ url }) => url.startsWith('/office/'))
    ? OPEN_OFFICE
    : action(t('Open the portal'), '/');
}
