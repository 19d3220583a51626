import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  listPastPayments,
  listPayments,
  makePayment as makePaymentEndpoint,
} from '@gatehouse/contract/payments';
import type { Routes } from '#http/routes.ts';
import { findPastPayments, findPayments } from './history.ts';
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

  guarded(listPastPayments, ({ ctx, caller, params }) =>
    findPastPayments(ctx.db, params.tenantId, calendarDateIn(caller.timeZone, ctx.clock.now())),
  );
}
