import {
  getReceiptPaper,
  getStatementPaper,
  listStatements,
  type Paper,
} from '@gatehouse/contract/papers';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { drawPaperOf, type PaperFile } from './papers.ts';
import { findReceiptEntry } from './receipts.ts';
import { findStatementId, listStatementsOf } from './statement-data.ts';

export function paperRoutes({ guarded }: Routes): void {
  guarded(getReceiptPaper, async ({ ctx, caller, params }) => {
    const id = await findReceiptEntry(
      ctx.db,
      caller.tenantIds,
      params.ledgerId,
      params.receiptNumber,
    );
    if (id === null) throw notFound();
    return paperView(await drawPaperOf(ctx.db, { kind: 'receipt', id }));
  });

  guarded(listStatements, ({ ctx, params }) => listStatementsOf(ctx.db, params.tenantId));

  guarded(getStatementPaper, async ({ ctx, params }) => {
    const id = await findStatementId(ctx.db, params.tenantId, params.number);
    if (id === null) throw notFound();
    return paperView(await drawPaperOf(ctx.db, { kind: 'statement', id }));
  });
}

function paperView({ content, ...file }: PaperFile): Paper {
  return { ...file, data: content.toString('base64') };
}
