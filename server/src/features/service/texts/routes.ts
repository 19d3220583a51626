import {
  confirmTexts as confirmCall,
  requestTexts as requestCall,
  stopTexts as stopCall,
} from '@gatehouse/contract/text-messages';
import type { Caller } from '#http/guard.ts';
import type { Routes } from '#http/routes.ts';
import { confirmTexts, requestTexts, stopTexts } from './consents.ts';

export function textRoutes({ guarded }: Routes): void {
  guarded(requestCall, async ({ ctx, caller, params, body, origin }) => {
    await requestTexts(ctx, ownerOf(caller, params), body.consent, origin);
    return { success: true as const };
  });

  guarded(confirmCall, async ({ ctx, caller, params, body }) => ({
    success: await confirmTexts(ctx, ownerOf(caller, params), body.code),
  }));

  guarded(stopCall, async ({ ctx, caller, params }) => {
    await stopTexts(ctx, ownerOf(caller, params));
    return { success: true as const };
  });
}

function ownerOf({ userId }: Caller, { tenantId }: { tenantId: string }) {
  return { userId, tenantId };
}
