import { listAutopays } from '@gatehouse/contract/autopay';
import {
  stopAutopay as stopAutopayEndpoint,
  updateAutopay,
} from '@gatehouse/contract/autopay-changes';
import type { Routes } from '#http/routes.ts';
import { findAutopays } from './autopay.ts';
import { setAutopay, stopAutopay } from './switch.ts';
import { autopayView } from './view.ts';

export function autopayRoutes({ guarded }: Routes): void {
  guarded(listAutopays, async ({ ctx, caller, params }) =>
    (await findAutopays(ctx, params.tenantId, caller.timeZone)).map(autopayView),
  );

  guarded(updateAutopay, async ({ ctx, caller, params, body, idempotencyKey, origin }) => {
    const ledgerId = params.ledgerId.toLowerCase();
    return autopayView(
      await setAutopay(ctx, { caller, ledgerId, params: body, idempotencyKey, origin }),
    );
  });

  guarded(stopAutopayEndpoint, async ({ ctx, caller, params }) =>
    autopayView(await stopAutopay(ctx, caller, params.ledgerId)),
  );
}
