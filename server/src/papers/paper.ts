import type { Strokes } from '@gatehouse/contract/signing';

/** A cell of a table's row; `cents` is printed as money at the right. */
export type Cell = string | { cents: number } | null;

/**
 * A part of a paper, as plain text. `facts` are labels and values, `columns` are next to each
 * other, `rows` are a table whose first column takes what the others leave: a row may be strong (a
 * sum) or indented (a part of the row above).
 */
export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** What must not be overlooked: a payment that is pending, or was taken back. */
  | { kind: 'notice'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  | { kind: 'columns'; columns: { title: string; lines: string[] }[] }
  | { kind: 'rows'; head: string[]; rows: Row[] }
  /** A signature: `text` is what was typed, or says what was drawn. */
  | { kind: 'mark'; text: string; strokes: Strokes | null; caption: string }
  /** A letter begins: a new page, the sender above and the address in the envelope's window. */
  | { kind: 'letter'; from: string[]; to: string[] }
  /** What follows begins a new page. */
  | { kind: 'page' };

export type Row = { cells: Cell[]; look?: 'strong' | 'part' };

/**
 * A paper before it is drawn: `issuer` is the operator's name, `at` the instant it speaks of. A
 * wide one lies on its side, for tables of many columns. One of letters has no heading or foot.
 */
export type Paper = {
  issuer: string;
  title: string;
  at: Date;
  blocks: Block[];
  isWide?: true;
  isOfLetters?: true;
};

/** All texts of a paper, as they will be on it. */
export function textsOf({ issuer, title, blocks }: Paper): string[] {
  return [issuer, title, ...blocks.flatMap(textsOfBlock)];
}

function textsOfBlock(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'notice':
      return [block.text];
    case 'facts':
      return block.facts.flat();
    case 'mark':
      return [block.text, block.caption];
    case 'letter':
      return [...block.from, ...block.to];
    case 'page':
      return [];
    case 'columns':
      return block.columns.flatMap(({ title, lines }) => [title, ...lines]);
    case 'rows':
      return [
        ...block.head,
        ...block.rows.flatMap(({ cells }) => cells.filter((cell) => typeof cell === 'string')),
      ];
  }
}
