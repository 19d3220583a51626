import { allowAccount } from '@gatehouse/contract/staff-autopay';
import { sql } from 'kysely';
import { describeMethod } from '#features/money/payment-methods/payment-methods.ts';
import { type StaffWork, workOf } from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { lockAccount } from './accounts.ts';

/**
 * `payments.allowAccount`: takes the stop off a bank account and the mark off the tenant's entries
 * of it; consents that have ended stay ended. Refuses with 404 a method that is not the tenant's or
 * is of another facility, with 422 a card, which is never tried again, and with 409 an account that
 * is not stopped.
 */
export const allowAccountFor = workOf(allowAccount, async (on, { tenantId, methodId }) => {
  const { fingerprint, facilityId, ...method } = await getMethod(on, tenantId, methodId);
  const description = describeMethod(method);
  if (method.type !== 'ach')
    throw new Refusal(
      422,
      `${description} is not a bank account: a card that was refused is not charged again.`,
    );
  const returnCode = fingerprint === null ? null : await takeOffStop(on, fingerprint);
  const { numAffectedRows: marks } = await sql`
      UPDATE payment_methods SET refused_at = NULL WHERE id IN (
        SELECT id FROM payment_methods WHERE tenant_id = ${tenantId} AND refused_at IS NOT NULL
          AND (id = ${methodId} OR fingerprint = ${fingerprint}::text)
        ORDER BY id FOR NO KEY UPDATE)`.execute(on.trx);
  if (returnCode === null && marks === 0n) throw new Refusal(409, `${description} is not stopped.`);
  const details = { method: methodId, ...(returnCode !== null && { returnCode }) };
  return {
    reply: { methodId, description, returnCode },
    about: { facilityId, tenantId, details },
  };
});

/** Answers the code of the return that had stopped the account; null where none had. */
async function takeOffStop({ trx }: StaffWork, fingerprint: string): Promise<string | null> {
  await lockAccount(trx, fingerprint);
  const stop = await trx
    .deleteFrom('stopped_accounts')
    .where('fingerprint', '=', fingerprint)
    .returning('return_code')
    .executeTakeFirst();
  return stop?.return_code ?? null;
}

async function getMethod({ trx, call }: StaffWork, tenantId: string, methodId: string) {
  const method = await trx
    .selectFrom('payment_methods as pm')
    .innerJoin('tenants as t', 't.id', 'pm.tenant_id')
    .selectAll('pm')
    .select('t.facility_id as facilityId')
    .where('pm.id', '=', methodId)
    .where('t.id', '=', tenantId)
    .executeTakeFirst();
  if (method === undefined || call.facilityIds?.includes(method.facilityId) === false)
    throw new Refusal(404, `There is no payment method ${methodId} of this tenant.`);
  return method;
}
