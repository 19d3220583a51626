import { COMPLETED_ENVELOPE_STATUS_ID, type EsignDocument } from '@gatehouse/contract/esign';
import type { Paper } from '@gatehouse/contract/papers';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { EsignUnavailable } from '#adapters/esign/esign.ts';
import type { Context } from '#context/context.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import type { Caller } from '#http/guard.ts';
import { paperView, readSigned } from '#features/base/papers/papers.ts';
import { sessionSigningToken } from './link.ts';

/**
 * The e-sign documents of a tenant record's current rentals on the facility's `today`. Refuses with
 * 503 while the signing service is unavailable.
 */
export async function listDocuments(
  { db, esign, log }: Context,
  tenantId: string,
  today: string,
): Promise<EsignDocument[]> {
  const { rows: ledgers } = await sql<{ id: string }>`
    SELECT id FROM ledgers
    WHERE tenant_id = ${tenantId} AND is_current_on(moved_out_on, ${today}::date)`.execute(db);
  if (ledgers.length === 0) return [];
  try {
    return await esign.list(
      db,
      ledgers.map(({ id }) => id),
    );
  } catch (error) {
    if (!(error instanceof EsignUnavailable)) throw error;
    log.warn({ err: error }, 'the signing service did not answer');
    throw new Refusal(
      503,
      t('The e-sign documents cannot be shown right now. Please try again in a moment.'),
    );
  }
}

type Own = { tenantId: string; documentId: string };

/**
 * The token by which a signed-in tenant signs in this session. Refuses with 404 a document of
 * another record, that is not signed here, or that was withdrawn.
 */
export async function getOwnLink(
  ctx: Context,
  { tokenHash }: Pick<Caller, 'tokenHash'>,
  own: Own,
): Promise<{ token: string; isComplete: boolean }> {
  const { rows } = await sql<{ signerId: string; linkedAt: Date | null; isComplete: boolean }>`
    SELECT s.id AS "signerId", s.linked_at AS "linkedAt", d.envelope_status_id = ${COMPLETED_ENVELOPE_STATUS_ID} AS "isComplete"
    FROM document_signers s
    JOIN esign_documents d ON d.id = s.document_id JOIN ledgers l ON l.id = d.ledger_id
    WHERE d.id = ${own.documentId} AND l.tenant_id = ${own.tenantId} AND s.position = 1
      AND d.voided_at IS NULL`.execute(ctx.db);
  const [signer] = rows;
  if (signer?.linkedAt == null) throw notFound();
  const { signerId, isComplete } = signer;
  return { token: sessionSigningToken(ctx, signerId, tokenHash), isComplete };
}

/**
 * The signed copy of a document of the record. Refuses with 404 one of another, and as readSigned.
 */
export async function getOwnSigned(ctx: Context, { tenantId, documentId }: Own): Promise<Paper> {
  const { rows } = await sql`
    SELECT FROM esign_documents d JOIN ledgers l ON l.id = d.ledger_id
    WHERE d.id = ${documentId} AND l.tenant_id = ${tenantId}`.execute(ctx.db);
  if (rows.length === 0) throw notFound();
  return paperView(await readSigned(ctx, documentId));
}
