import { randomUUID } from 'node:crypto';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import type { Vault } from '@gatehouse/server/src/crypto/vault.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';

const AT_ONCE = 500;

/**
 * A saved card with its token at the sandbox gateway, a consent and autopay for every ledger that
 * has none yet.
 */
export async function makeAutopayWorld(owner: Database, vault: Vault): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
        SELECT id FROM ledgers l WHERE NOT EXISTS (SELECT FROM autopays a WHERE a.ledger_id = l.id)
        LIMIT ${AT_ONCE}`.execute(owner);
    if (rows.length === 0) return;
    const made = rows.map(({ id }) => {
      const methodId = randomUUID();
      const token = `sandbox_${randomUUID()}`;
      return { id, methodId, token, sealed: vault.seal('gatewayToken', methodId, token) };
    });
    await sql`
        WITH made AS (
          SELECT *, gen_random_uuid() AS mandate_id FROM unnest(
            ${made.map(({ id }) => id)}::uuid[], ${made.map(({ methodId }) => methodId)}::uuid[],
            ${made.map(({ token }) => token)}::text[], ${made.map(({ sealed }) => sealed)}::text[]
          ) AS m (ledger_id, method_id, token, sealed)
        ), token AS (
          INSERT INTO sandbox_gateway.methods (token, type, last_four, behaviour, funding)
          SELECT token, 'creditCard', '4242', 'approve', 'credit' FROM made
        ), method AS (
          INSERT INTO payment_methods (id, tenant_id, type, gateway_token, brand, last_four, expires_on, holder_name,
            postal_code, funding)
          SELECT method_id, l.tenant_id, 'creditCard', sealed, 'Visa', '4242', '2030-04', 'Dana Reyes', '76020', 'credit'
          FROM made JOIN ledgers l ON l.id = made.ledger_id
        ), mandate AS (
          INSERT INTO mandates (id, ledger_id, payment_method_id, text_version, text, text_hash, agreed_at)
          SELECT mandate_id, ledger_id, method_id, 'bench', 'bench', sha256('bench'), ${testClock.now()} FROM made
        )
        INSERT INTO autopays (ledger_id, payment_method_id, active, mandate_id)
        SELECT ledger_id, method_id, true, mandate_id FROM made`.execute(owner);
  }
}
