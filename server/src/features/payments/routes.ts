import { listPayments, makePayment as makePaymentEndpoint } from '@gatehouse/contract/payments';
import type { Routes } from '#http/routes.ts';
import { findPayments } from './history.ts';
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

  guarded(listPayments, ({ ctx, caller, params }) =>
    findPayments(ctx.db, caller.tenantIds, params.ledgerId),
  );
}
