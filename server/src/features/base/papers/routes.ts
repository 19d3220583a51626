import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  getReceiptPaper,
  getStatementPaper,
  getTenantReceiptPaper,
  getYearStatementPaper,
  listStatements,
  listYearStatements,
  type Paper,
} from '@gatehouse/contract/papers';
import type { Context } from '#context/context.ts';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { drawPaperOf, drawYear, type PaperFile } from './papers.ts';
import { findReceiptEntry } from './receipts.ts';
import { findStatementId, listStatementsOf } from './statement-data.ts';
import { listYears } from './year-data.ts';

export function paperRoutes({ guarded }: Routes): void {
  guarded(getReceiptPaper, async ({ ctx, caller, params }) => {
    const { receiptNumber, ledgerId } = params;
    return receiptView(
      ctx,
      await findReceiptEntry(ctx.db, caller.tenantIds, receiptNumber, ledgerId),
    );
  });

  guarded(getTenantReceiptPaper, async ({ ctx, params }) =>
    receiptView(ctx, await findReceiptEntry(ctx.db, [params.tenantId], params.receiptNumber)),
  );

  guarded(listStatements, ({ ctx, params }) => listStatementsOf(ctx.db, params.tenantId));

  guarded(getStatementPaper, async ({ ctx, params }) => {
    const id = await findStatementId(ctx.db, params.tenantId, params.number);
    if (id === null) throw notFound();
    return paperView(await drawPaperOf(ctx, { kind: 'statement', id }));
  });

  guarded(listYearStatements, ({ ctx, caller, params: { tenantId } }) =>
    listYears(ctx.db, { tenantId, today: calendarDateIn(caller.timeZone, ctx.clock.now()) }),
  );

  guarded(getYearStatementPaper, async ({ ctx, caller, params: { tenantId, year } }) => {
    const now = ctx.clock.now();
    const today = calendarDateIn(caller.timeZone, now);
    const paper = await drawYear(ctx.db, year, { tenantId, today, now });
    if (paper === null) throw notFound();
    return paperView(paper);
  });
}

async function receiptView(ctx: Context, id: string | null): Promise<Paper> {
  if (id === null) throw notFound();
  return paperView(await drawPaperOf(ctx, { kind: 'receipt', id }));
}

function paperView({ content, ...file }: PaperFile): Paper {
  return { ...file, data: content.toString('base64') };
}
