import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import type { Routes } from '#http/routes.ts';
import { listDocuments } from './documents.ts';
import { askForDocuments } from './resend.ts';

export function esignRoutes({ guarded }: Routes): void {
  guarded(listFiles, ({ ctx, params }) => listDocuments(ctx, params.tenantId));

  guarded(resendEsignDocuments, ({ ctx, caller, params, idempotencyKey }) =>
    askForDocuments(ctx, caller, params.ledgerId, idempotencyKey),
  );
}
