import type { EsignDocument } from '@gatehouse/contract/esign';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { EsignUnavailable } from '#adapters/esign/esign.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';

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
