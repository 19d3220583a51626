import { PENDING_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import type { Database } from '#db/database.ts';
import type { EsignService } from './esign.ts';

/**
 * The built-in signing service: the documents of our own table, which the operator's staff
 * maintain.
 */
export function createLocalEsign(all: Database): EsignService {
  return {
    isRemote: false,

    list: (db, ledgerIds) =>
      db
        .selectFrom('esign_documents')
        .innerJoin(
          'envelope_statuses',
          'envelope_statuses.id',
          'esign_documents.envelope_status_id',
        )
        .select([
          'esign_documents.ledger_id as ledgerId',
          'esign_documents.id as formId',
          'form_name as formName',
          'envelope_statuses.name as envelopeStatus',
          'envelope_status_id as envelopeStatusId',
        ])
        .where('ledger_id', 'in', ledgerIds)
        .orderBy('form_name')
        .orderBy('esign_documents.id')
        .execute(),

    async resend(ledgerId) {
      const pending = await all
        .selectFrom('esign_documents')
        .select('form_name')
        .where('ledger_id', '=', ledgerId)
        .where('envelope_status_id', '=', PENDING_ENVELOPE_STATUS_ID)
        .orderBy('form_name')
        .execute();
      return pending.map((document) => document.form_name);
    },
  };
}
