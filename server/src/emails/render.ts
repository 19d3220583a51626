import type { Block, Brand, Email } from './email.ts';
import { layOut } from './layout.ts';

/** The subject, the text part and the HTML part of a mail. */
export function renderEmail(
  { subject, blocks }: Email,
  brand: Brand,
): { subject: string; text: string; html: string } {
  const line = oneLine(subject);
  const placed = blocks.flatMap((block) => place(block, brand));
  const text = [...placed.map(blockText), `${brand.name}\n${brand.url}`].join('\n\n');
  return {
    subject: line,
    text: `${text}\n`,
    html: layOut({ subject: line, blocks: placed }, brand),
  };
}

/** A link with its whole address; none to the office where none is served. */
function place(block: Block, { url, officeUrl }: Brand): Block[] {
  if (block.kind !== 'link' || !block.url.startsWith('/')) return [block];
  const origin = block.url.startsWith('/office/') ? officeUrl : url;
  return origin === null ? [] : [{ ...block, url: origin + block.url }];
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
  if (block.kind !== 'link') return block.text;
  return block.url.startsWith('tel:') ? block.label : `${block.label}:\n${block.url}`;
}

/** Each line begins with `> `, so that none looks like a fact of ours. */
function markLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return lines.map((line) => `> ${line}`).join('\n');
}
