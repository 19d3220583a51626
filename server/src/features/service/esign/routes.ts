import { calendarDateIn } from '@gatehouse/contract/dates';
import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import type { Routes } from '#http/routes.ts';
import { listDocuments } from './documents.ts';
import { askForDocuments } from './resend.ts';

export function esignRoutes({ guarded }: Routes): void {
  guarded(listFiles, ({ ctx, caller, params }) =>
    listDocuments(ctx, params.tenantId, calendarDateIn(caller.timeZone, ctx.clock.now())),
  );

  guarded(resendEsignDocuments, ({ ctx, caller, params, idempotencyKey }) =>
    askForDocuments(ctx, caller, params.ledgerId, idempotencyKey),
  );
}
