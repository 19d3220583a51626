import { getPayLink, payByLink } from '@gatehouse/contract/pay-links';
import type { Routes } from '#http/routes.ts';
import { payByLinkOf, showPayLink } from './pay.ts';

/** The calls of the page behind a pay link. The token is a secret: routes are logged by pattern. */
export function payLinkRoutes({ open }: Routes): void {
  open(getPayLink, ({ ctx, params, origin }) => showPayLink(ctx, params.token, origin.ip));

  open(payByLink, ({ ctx, params, body: { amount, ...method }, idempotencyKey, origin }) =>
    payByLinkOf(ctx, { token: params.token, ip: origin.ip, idempotencyKey, amount, method }),
  );
}
