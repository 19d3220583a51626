import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { acceptProof, refuseProof } from '@gatehouse/contract/insurance-proofs';
import { sql, type RawBuilder } from 'kysely';
import { isCurrentOn } from '#db/current-rental.ts';
import { proofCheckedEmail } from '#emails/proof-checked.ts';
import { Refusal } from '#errors/refusal.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  findStaffLedgers,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { activePlan } from './insurance.ts';

/**
 * Whether the proof `i` waits for a decision: a tenant gave it, and it has not ended by `today`.
 */
export function isToCheck(today: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(i.replaced_at IS NULL AND i.decided_at IS NULL AND i.user_id IS NOT NULL
    AND (i.ends_on IS NULL OR i.ends_on >= ${today}))`;
}

/** `insurance.accept`. Refuses as `decide` does. */
export const acceptProofOf = workOf(acceptProof, (on, { proofId, isChanged = false }) =>
  decide(on, { proofId, isChanged, refusal: null }),
);

/** `insurance.refuse`. Refuses as `decide` does. */
export const refuseProofOf = workOf(refuseProof, (on, { proofId, isChanged = false, refusal }) =>
  decide(on, { proofId, isChanged, refusal }),
);

type Decision = { proofId: string; isChanged: boolean; refusal: string | null };

/**
 * Decides a proof, and mails the tenant. Refuses with 404 one that is not there or of another
 * facility, with 422 one that was decided so before, and with 409 one of a rental that has ended,
 * one that has ended or was replaced, and one that was decided the other way unless `isChanged`.
 */
async function decide(on: StaffWork, { proofId, isChanged, refusal }: Decision) {
  const { trx, call, now } = on;
  const named = await trx
    .selectFrom('private_policies')
    .select('ledger_id')
    .where('id', '=', proofId)
    .executeTakeFirst();
  const [ledger] = named === undefined ? [] : await findStaffLedgers(on, [named.ledger_id]);
  if (ledger === undefined) throw new Refusal(404, `There is no proof of insurance ${proofId}.`);
  const { unitName, facilityId, tenantId } = ledger;
  const today = calendarDateIn(ledger.timeZone, now);
  // Locked as for a new proof, so that what is decided is the one on file.
  const { moved_out_on } = await trx
    .selectFrom('ledgers')
    .select('moved_out_on')
    .where('id', '=', ledger.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!isCurrentOn(moved_out_on, today))
    throw new Refusal(409, `Unit ${unitName} was moved out of on ${moved_out_on}.`);
  const proof = await trx
    .selectFrom('private_policies')
    .select(['company', 'policy_number', 'ends_on', 'replaced_at'])
    .select(['decided_at', 'decided_by', 'refusal'])
    .where('id', '=', proofId)
    .executeTakeFirstOrThrow();
  if (proof.replaced_at !== null)
    throw new Refusal(409, `The tenant has given another proof for ${unitName} since: check that.`);
  if (proof.ends_on !== null && proof.ends_on < today)
    throw new Refusal(409, `This policy ended on ${formatDate(proof.ends_on)}.`);
  if (proof.decided_at !== null) {
    const done = proof.refusal === null ? 'accepted' : 'refused';
    if ((proof.refusal === null) === (refusal === null))
      throw new Refusal(422, `${proof.decided_by} has ${done} this proof already.`);
    if (!isChanged)
      throw new Refusal(409, `${proof.decided_by} has ${done} this proof. Replace that decision?`);
  }
  await trx
    .updateTable('private_policies')
    .set({ decided_at: now, decided_by: call.by, refusal })
    .where('id', '=', proofId)
    .execute();
  const policy = { company: proof.company, policyNumber: proof.policy_number };
  await mailTenantOf(on, ledger.id, 'proof_checked', (to) =>
    proofCheckedEmail({ ...to, unitName, ...policy, refusal }),
  );
  const { rows: plans } = await sql`
    SELECT p.id FROM ledgers l CROSS JOIN LATERAL (${activePlan(sql`${today}::date`)}) p
    WHERE l.id = ${ledger.id}`.execute(trx);
  return {
    reply: { unitName, ...policy, hasPlan: plans.length > 0 },
    about: { facilityId, tenantId, ledgerIds: [ledger.id] },
  };
}
