import type { Block, Brand, Email } from './email.ts';
import { layOut } from './layout.ts';

/** The subject, the text part and the HTML part of a mail. */
export function renderEmail(
  { subject, blocks }: Email,
  brand: Brand,
): { subject: string; text: string; html: string } {
  const line = oneLine(subject);
  const text = [...blocks.map(blockText), `${brand.name}\n${brand.url}`].join('\n\n');
  return { subject: line, text: `${text}\n`, html: layOut({ subject: line, blocks }, brand) };
}

/** A subject is one line: line breaks, which could begin another header, become spaces (T17). */
function oneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** A part of a mail as plain text. */
export function blockText(block: Block): string {
  if (block.kind === 'facts')
    return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  return block.kind === 'link' ? `${block.label}:\n${block.url}` : block.text;
}
