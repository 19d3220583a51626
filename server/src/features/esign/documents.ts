import type { EsignDocument } from '@gatehouse/contract/esign';
import { EsignUnavailable } from '#adapters/esign/esign.ts';
import type { Context } from '#context/context.ts';
import { isCurrentRental } from '#db/current-rental.ts';
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
  const ledgers = await db
    .selectFrom('ledgers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(isCurrentRental(today))
    .execute();
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
      'The e-sign documents cannot be shown right now. Please try again in a moment.',
    );
  }
}
