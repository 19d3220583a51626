import { COMPLETED_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { readUnchanged } from '#features/base/images/images.ts';
import { finalStatementPaper } from '#papers/final-statement.ts';
import type { Paper } from '#papers/paper.ts';
import { receiptPaper } from '#papers/receipt.ts';
import { statementPaper } from '#papers/statement.ts';
import { yearStatementPaper } from '#papers/year-statement.ts';
import { findFinalStatement } from './final-statement-data.ts';
import { getReceiptOfEntry } from './receipts.ts';
import { getStatement } from './statement-data.ts';
import { findYear, type YearOf } from './year-data.ts';

/** What goes with a mail: the receipt of a payment's entry, a statement, or a signed document. */
export type PaperRef = { kind: 'receipt' | 'statement' | 'document'; id: string };

type PaperContext = Pick<Context, 'db' | 'files' | 'log'>;

/** A paper as a file. */
export type PaperFile = { fileName: string; contentType: 'application/pdf'; content: Buffer };

/** Draws the paper of a row as it is in the books now; a signed document is as it was signed. */
export async function drawPaperOf(ctx: PaperContext, { kind, id }: PaperRef): Promise<PaperFile> {
  const { db } = ctx;
  if (kind === 'document') return readSigned(ctx, id);
  if (kind === 'receipt') {
    const receipt = await getReceiptOfEntry(db, id);
    return pdfFile(`receipt-${receipt.number}`, await draw(receiptPaper(receipt)));
  }
  const statement = await getStatement(db, id);
  const { month, firstOn, lastOn } = statement.period;
  const days = month ?? `${firstOn}-to-${lastOn}`;
  return pdfFile(`statement-${days}`, await draw(statementPaper(statement)));
}

/**
 * The signed copy of a document. Refuses with 404 one that is not signed by all, with 503 while its
 * copy is being made or the store is unavailable; throws if the stored file was changed.
 */
export async function readSigned(ctx: PaperContext, id: string): Promise<PaperFile> {
  const row = await ctx.db
    .selectFrom('esign_documents as d')
    .innerJoin('ledgers as l', 'l.id', 'd.ledger_id')
    .innerJoin('units as u', 'u.id', 'l.unit_id')
    .select(['d.form_name', 'd.file_key', 'd.file_hash', 'u.name'])
    .where('d.id', '=', id)
    .where('d.form_id', 'is not', null)
    .where('d.envelope_status_id', '=', COMPLETED_ENVELOPE_STATUS_ID)
    .where('d.voided_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (row.file_key === null)
    throw new Refusal(503, t('The signed copy is being made. Please try again in a moment.'));
  const content = await readUnchanged(ctx, row.file_key, row.file_hash!);
  return pdfFile(`${row.form_name} ${row.name}`, content);
}

/** Draws the final statement of a rental; null where none was settled. */
export async function drawFinalStatement(
  db: Database,
  ledgerId: string,
): Promise<PaperFile | null> {
  const statement = await findFinalStatement(db, ledgerId);
  if (statement === undefined) return null;
  const name = `final-statement-${statement.unitName}`;
  return pdfFile(name, await draw(finalStatementPaper(statement)));
}

/** Draws what a tenant record paid in a year; null where it paid nothing. */
export async function drawYear(
  db: Database,
  year: string,
  record: YearOf,
): Promise<PaperFile | null> {
  const paid = await findYear(db, year, record);
  return paid && pdfFile(`payments-${year}`, await draw(yearStatementPaper(paid)));
}

/** What draws is loaded with the first paper: a start need not wait for it. */
async function draw(paper: Paper): Promise<Buffer> {
  const { drawPaper } = await import('#papers/draw.ts');
  return drawPaper(paper);
}

/** A PDF whose file name is made of what it is called. */
export function pdfFile(name: string, content: Buffer): PaperFile {
  const fileName = `${name.replace(/[^\w-]+/g, '-')}.pdf`;
  return { fileName, contentType: 'application/pdf', content };
}

/** A paper as a call answers it. */
export function paperView({ content, ...file }: PaperFile) {
  return { ...file, data: content.toString('base64') };
}
