import type { Database } from '#db/database.ts';
import { finalStatementPaper } from '#papers/final-statement.ts';
import type { Paper } from '#papers/paper.ts';
import { receiptPaper } from '#papers/receipt.ts';
import { statementPaper } from '#papers/statement.ts';
import { yearStatementPaper } from '#papers/year-statement.ts';
import { findFinalStatement } from './final-statement-data.ts';
import { getReceiptOfEntry } from './receipts.ts';
import { getStatement } from './statement-data.ts';
import { findYear, type YearOf } from './year-data.ts';

/** What goes with a mail: the receipt of a payment's entry, or a statement. */
export type PaperRef = { kind: 'receipt' | 'statement'; id: string };

/** A paper as a file. */
export type PaperFile = { fileName: string; contentType: 'application/pdf'; content: Buffer };

/** Draws the paper of a row as it is in the books now. */
export async function drawPaperOf(db: Database, { kind, id }: PaperRef): Promise<PaperFile> {
  if (kind === 'receipt') {
    const receipt = await getReceiptOfEntry(db, id);
    return pdf(`receipt-${receipt.number}.pdf`, await draw(receiptPaper(receipt)));
  }
  const statement = await getStatement(db, id);
  return pdf(`statement-${statement.month}.pdf`, await draw(statementPaper(statement)));
}

/** Draws the final statement of a rental; null where none was settled. */
export async function drawFinalStatement(
  db: Database,
  ledgerId: string,
): Promise<PaperFile | null> {
  const statement = await findFinalStatement(db, ledgerId);
  if (statement === undefined) return null;
  const fileName = `final-statement-${statement.unitName.replace(/[^\w-]+/g, '-')}.pdf`;
  return pdf(fileName, await draw(finalStatementPaper(statement)));
}

/** Draws what a tenant record paid in a year; null where it paid nothing. */
export async function drawYear(
  db: Database,
  year: string,
  record: YearOf,
): Promise<PaperFile | null> {
  const paid = await findYear(db, year, record);
  return paid && pdf(`payments-${year}.pdf`, await draw(yearStatementPaper(paid)));
}

/** What draws is loaded with the first paper: a start need not wait for it. */
async function draw(paper: Paper): Promise<Buffer> {
  const { drawPaper } = await import('#papers/draw.ts');
  return drawPaper(paper);
}

function pdf(fileName: string, content: Buffer): PaperFile {
  return { fileName, contentType: 'application/pdf', content };
}
