import {
  getReceiptPaper,
  getStatementPaper,
  getTenantReceiptPaper,
  listStatements,
  type Paper,
} from '@gatehouse/contract/papers';
import type { Database } from '#db/database.ts';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { drawPaperOf, type PaperFile } from './papers.ts';
import { findReceiptEntry } from './receipts.ts';
import { findStatementId, listStatementsOf } from './statement-data.ts';

export function paperRoutes({ guarded }: Routes): void {
  guarded(getReceiptPaper, async ({ ctx, caller, params }) => {
    const { receiptNumber, ledgerId } = params;
    return receiptView(
      ctx.db,
      await findReceiptEntry(ctx.db, caller.tenantIds, receiptNumber, ledgerId),
    );
  });

  guarded(getTenantReceiptPaper, async ({ ctx, params }) =>
    receiptView(ctx.db, await findReceiptEntry(ctx.db, [params.tenantId], params.receiptNumber)),
  );

  guarded(listStatements, ({ ctx, params }) => listStatementsOf(ctx.db, params.tenantId));

  guarded(getStatementPaper, async ({ ctx, params }) => {
    const id = await findStatementId(ctx.db, params.tenantId, params.number);
    if (id === null) throw notFound();
    return paperView(await drawPaperOf(ctx.db, { kind: 'statement', id }));
  });
}

async function receiptView(db: Database, id: string | null): Promise<Paper> {
  if (id === null) throw notFound();
  return paperView(await drawPaperOf(db, { kind: 'receipt', id }));
}

function paperView({ content, ...file }: PaperFile): Paper {
  return { ...file, data: content.toString('base64') };
}
