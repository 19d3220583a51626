import { PENDING_ENVELOPE_STATUS_ID, type EsignDocument } from '@gatehouse/contract/esign';
import { sql } from 'kysely';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import type { EsignService } from './esign.ts';

/**
 * The built-in signing service: the documents of our own table, which the operator's staff
 * maintain.
 */
export function createLocalEsign(all: Database): EsignService {
  return {
    isRemote: false,

    async list(db, ledgerIds) {
      const { rows } = await sql<EsignDocument>`
        SELECT d.ledger_id AS "ledgerId", d.id AS "formId", d.form_name AS "formName", s.name AS "envelopeStatus",
          d.envelope_status_id AS "envelopeStatusId"
        FROM esign_documents d JOIN envelope_statuses s ON s.id = d.envelope_status_id
        WHERE d.ledger_id = ${anyOf(ledgerIds)}
        ORDER BY d.form_name, d.id`.execute(db);
      return rows;
    },

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
