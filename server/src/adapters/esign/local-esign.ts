import {
  EXPIRED_ENVELOPE_STATUS_ID,
  isPending,
  PENDING_ENVELOPE_STATUS_ID,
  type EsignDocument,
} from '@gatehouse/contract/esign';
import { sql } from 'kysely';
import type { Clock } from '#adapters/clock.ts';
import { anyOf } from '#db/any-of.ts';
import type { Database } from '#db/database.ts';
import type { EsignService } from './esign.ts';

/**
 * The built-in signing service: the documents of our own table, which are signed here
 * (features/service/esign) or of which the operator's staff maintain the state. One whose time to
 * sign is over is expired; one that was withdrawn is not shown.
 */
export function createLocalEsign(all: Database, clock: Clock): EsignService {
  return {
    isRemote: false,

    async list(db, ledgerIds) {
      const { rows } = await sql<Omit<EsignDocument, 'isSignedHere'> & { isSignedHere: boolean }>`
        SELECT d.ledger_id AS "ledgerId", d.id AS "formId", d.form_name AS "formName", s.name AS "envelopeStatus",
          s.id AS "envelopeStatusId", d.form_id IS NOT NULL AS "isSignedHere"
        FROM esign_documents d JOIN envelope_statuses s ON s.id = CASE
          WHEN d.envelope_status_id = ${PENDING_ENVELOPE_STATUS_ID} AND d.ends_at <= ${clock.now()}::timestamptz
          THEN ${EXPIRED_ENVELOPE_STATUS_ID}::integer ELSE d.envelope_status_id END
        WHERE d.ledger_id = ${anyOf(ledgerIds)} AND d.voided_at IS NULL
        ORDER BY d.form_name, d.id`.execute(db);
      return rows.map(({ isSignedHere, ...document }) =>
        isSignedHere ? { ...document, isSignedHere } : document,
      );
    },

    async resend(ledgerId) {
      return (await this.list(all, [ledgerId])).filter(isPending).map(({ formName }) => formName);
    },
  };
}
