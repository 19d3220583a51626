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

/** A subject is one line: line breaks, which could begin another header, become spaces. */
function oneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** A part of a mail as plain text. */
export function blockText(block: Block): string {
  if (block.kind === 'facts')
    return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  if (block.kind === 'quote') return markLines(block.text);
  return block.kind === 'link' ? `${block.label}:\n${block.url}` : block.text;
}

/** Each line begins with `> `, so that none looks like a fact of ours. */
function markLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return lines.map((line) => `> ${line}`).join('\n');
}
