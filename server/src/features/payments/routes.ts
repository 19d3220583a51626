import { toDollars } from '@gatehouse/contract/money';
import { listPayments, makePayment as makePaymentEndpoint } from '@gatehouse/contract/payments';
import type { Routes } from '#http/routes.ts';
import { makePayment } from './payments.ts';

export function paymentRoutes({ guarded }: Routes): void {
  guarded(makePaymentEndpoint, ({ ctx, caller, params, body, idempotencyKey }) =>
    makePayment(ctx, {
      userId: caller.userId,
      tenantId: params.tenantId.toLowerCase(),
      timeZone: caller.timeZone,
      idempotencyKey,
      params: body,
    }),
  );

  guarded(listPayments, async ({ ctx, caller, params }) => {
    const rows = await ctx.db
      .selectFrom('payments')
      .innerJoin('entries', 'entries.id', 'payments.entry_id')
      .innerJoin('ledgers', 'ledgers.id', 'payments.ledger_id')
      .select(['entries.posted_on', 'entries.amount_cents', 'payments.description', 'payments.receipt_number'])
      .where('ledgers.id', '=', params.ledgerId)
      .where('ledgers.tenant_id', 'in', caller.tenantIds)
      .orderBy('entries.position', 'desc')
      .execute();
    return rows.map((row) => ({
      date: row.posted_on,
      paymentTypeDescription: row.description,
      amount: toDollars(-row.amount_cents),
      receiptNumber: row.receipt_number,
    }));
  });
}
