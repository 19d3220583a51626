import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  listPastPayments,
  listPayments,
  makePayment as makePaymentEndpoint,
} from '@gatehouse/contract/payments';
import { previewPayment as previewPaymentEndpoint } from '@gatehouse/contract/payment-preview';
import type { Routes } from '#http/routes.ts';
import { findPastPayments, findPayments } from './history.ts';
import { makePayment } from './payments.ts';
import { previewPayment } from './preview.ts';

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

  guarded(previewPaymentEndpoint, ({ ctx, caller, params, body }) =>
    previewPayment(ctx, caller, params.ledgerId.toLowerCase(), body),
  );

  guarded(listPayments, ({ ctx, caller, params }) =>
    findPayments(ctx.db, caller.tenantIds, params.ledgerId),
  );

  guarded(listPastPayments, ({ ctx, caller, params }) =>
    findPastPayments(ctx.db, params.tenantId, calendarDateIn(caller.timeZone, ctx.clock.now())),
  );
}
