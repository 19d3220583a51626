import { sql } from 'kysely';
import { GatewayUnknown, MethodDeclined } from '#adapters/payments/gateway.ts';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database } from '#db/database.ts';
import type { MethodType } from '#db/tables.ts';
import { isRefused, lockAccount } from './accounts.ts';
import { stopAccount } from './returns.ts';

const BATCH = 250;

/**
 * Asks the gateway for the fingerprints of a facility's saved methods that have none, as those of
 * an import, which brings their tokens only, and gives them to the payments by the same token too.
 * One whose card or account was refused before is marked as refused; where a return had stopped the
 * account, its autopay ends as by that return. A token that the gateway does not know is left;
 * where it does not answer, all others are left to the next day.
 */
export async function learnFingerprints(
  ctx: Context,
  { facilityId }: { facilityId: string },
): Promise<void> {
  const batches = batchesById(
    (after) => findUnknown(ctx.db, facilityId, after),
    ({ id }) => id,
  );
  for await (const methods of batches)
    for (const method of methods) {
      try {
        const token = ctx.vault.open('gatewayToken', method.id, method.sealedToken);
        const { fingerprint } = await ctx.gateway.describe({ type: method.type, token });
        if (fingerprint !== null) await keep(ctx, method, fingerprint);
      } catch (error) {
        if (error instanceof MethodDeclined) continue;
        if (!(error instanceof GatewayUnknown)) throw error;
        ctx.log.warn(
          { err: error, facilityId },
          'the fingerprints of saved methods are asked for again the next day',
        );
        return;
      }
    }
}

type Unknown = {
  id: string;
  tenantId: string;
  type: MethodType;
  sealedToken: string;
  tokenVersion: number;
  expiresOn: string | null;
};

async function findUnknown(db: Database, facilityId: string, after: string): Promise<Unknown[]> {
  const { rows } = await sql<Unknown>`
    SELECT m.id, m.tenant_id AS "tenantId", m.type, m.gateway_token AS "sealedToken",
      m.token_version AS "tokenVersion", m.expires_on AS "expiresOn"
    FROM payment_methods m JOIN tenants t ON t.id = m.tenant_id
    WHERE t.facility_id = ${facilityId} AND m.fingerprint IS NULL AND m.id > ${after}
    ORDER BY m.id LIMIT ${BATCH}`.execute(db);
  return rows;
}

/**
 * Under the account's lock: a return that stops it is before, and is found, or after, and finds the
 * method.
 */
async function keep(ctx: Context, method: Unknown, fingerprint: string): Promise<void> {
  const { id, tenantId, tokenVersion, expiresOn } = method;
  await ctx.db.transaction().execute(async (trx) => {
    await lockAccount(trx, fingerprint);
    // First the payments, then the method, in the order of a return.
    await trx
      .updateTable('payment_intents')
      .set({ fingerprint })
      .where('tenant_id', '=', tenantId)
      .where('payment_method_id', '=', id)
      .where('token_version', '=', tokenVersion)
      .where('fingerprint', 'is', null)
      .execute();
    const refused = await isRefused(trx, tenantId, { fingerprint, expiresOn });
    await trx
      .updateTable('payment_methods')
      .set({ fingerprint, ...(refused && { refused_at: ctx.clock.now() }) })
      .where('id', '=', id)
      // Another token may have come with an import meanwhile.
      .where('token_version', '=', tokenVersion)
      .execute();
    const stop = await trx
      .selectFrom('stopped_accounts')
      .select('return_code as code')
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    // By the fingerprint only: where the token is another one now, the method is of another
    // account.
    if (stop !== undefined) await stopAccount(ctx, trx, { methodId: null, fingerprint }, stop.code);
  });
}
