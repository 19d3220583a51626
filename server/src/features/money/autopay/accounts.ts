import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#db/database.ts';

/**
 * A card or account that autopay is to charge; `fingerprint` null where the gateway does not give
 * it.
 */
type Account = { fingerprint: string | null; expiresOn: string | null };

/** Lets one transaction at a time stop an account or set autopay up with it. */
export async function lockAccount(trx: DatabaseTransaction, fingerprint: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${fingerprint}, 0))`.execute(trx);
}

/**
 * Whether the bank has refused the card or account for good: a bank account by a return that stops
 * it, no matter who paid with it, and whatever of the tenant's was marked as refused, in whichever
 * entry. A card with another expiry is a renewed one.
 */
export async function isRefused(
  db: Database,
  tenantId: string,
  { fingerprint, expiresOn }: Account,
): Promise<boolean> {
  if (fingerprint === null) return false;
  const { rows } = await sql<{ refused: boolean }>`
    SELECT is_stopped_account(${fingerprint}) OR EXISTS (
      SELECT FROM payment_methods WHERE tenant_id = ${tenantId} AND fingerprint = ${fingerprint}
        AND expires_on IS NOT DISTINCT FROM ${expiresOn}::text AND refused_at IS NOT NULL) AS refused`.execute(
    db,
  );
  return rows[0]!.refused;
}
