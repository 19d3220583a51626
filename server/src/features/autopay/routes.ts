import { listAutopays, updateAutopay, type Autopay } from '@gatehouse/contract/autopay';
import { methodView } from '#features/payment-methods/view.ts';
import type { Routes } from '#http/routes.ts';
import { findAutopays, setAutopay, type AutopayRow } from './autopay.ts';

export function autopayRoutes({ guarded }: Routes): void {
  guarded(listAutopays, async ({ ctx, params }) => (await findAutopays(ctx.db, params.tenantId)).map(autopayView));

  guarded(updateAutopay, async ({ ctx, caller, params, body }) =>
    autopayView(await setAutopay(ctx, caller, params.ledgerId, body)),
  );
}

function autopayView({ ledgerId, active, method }: AutopayRow): Autopay {
  return { ledgerId, active, ...(method === null ? {} : { type: method.type, ...methodView(method) }) };
}
