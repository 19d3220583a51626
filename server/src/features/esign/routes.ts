import { listFiles, resendEsignDocuments } from '@gatehouse/contract/esign';
import type { Routes } from '#http/routes.ts';
import { askForDocuments } from './resend.ts';

export function esignRoutes({ guarded }: Routes): void {
  guarded(listFiles, ({ ctx, params }) =>
    ctx.db
      .selectFrom('esign_documents')
      .innerJoin('ledgers', 'ledgers.id', 'esign_documents.ledger_id')
      .innerJoin('envelope_statuses', 'envelope_statuses.id', 'esign_documents.envelope_status_id')
      .select([
        'esign_documents.ledger_id as ledgerId',
        'esign_documents.id as formId',
        'form_name as formName',
        'envelope_statuses.name as envelopeStatus',
        'envelope_status_id as envelopeStatusId',
      ])
      .where('ledgers.tenant_id', '=', params.tenantId)
      .where('ledgers.moved_out_on', 'is', null)
      .orderBy('form_name')
      .execute(),
  );

  guarded(resendEsignDocuments, ({ ctx, caller, params, idempotencyKey }) =>
    askForDocuments(ctx, caller, params.ledgerId, idempotencyKey),
  );
}
