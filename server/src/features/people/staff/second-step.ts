import type { OwnProof } from '@gatehouse/contract/office/session';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst } from '#db/database.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { Refusal } from '#errors/refusal.ts';
import { loadOtp, stepOf } from './app-codes.ts';
import { noteChange } from './own-changes.ts';
import { demandProof } from './prove.ts';
import { countCodeTry } from './tries.ts';

const ISSUER = 'Gatehouse';

/**
 * Begins to set up an authenticator app: stores a new secret, sealed, next to the one that counts.
 * Refuses as `demandProof` does.
 */
export async function beginSecondStepOf(
  ctx: Context,
  { staffId, email }: StaffMember,
  proof: OwnProof,
): Promise<{ secret: string; uri: string }> {
  const useProof = await demandProof(ctx, staffId, proof);
  const { generateSecret, generateURI } = await loadOtp();
  const secret = generateSecret();
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      await useProof(trx);
      await trx
        .updateTable('staff_members')
        .set({ new_totp_secret: ctx.vault.seal('newTotpSecret', staffId, secret) })
        .where('id', '=', staffId)
        .execute();
    });
  return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) };
}

/**
 * Lets the new secret count once a code of it is right, ends the other sessions of the member, and
 * mails it to the member and the owners. Refuses with 422 a wrong code, and if nothing was begun.
 */
export async function confirmSecondStepOf(
  ctx: Context,
  staff: StaffMember,
  code: string,
  request: AuditedRequest,
): Promise<void> {
  const { staffId } = staff;
  await countCodeTry(ctx, staffId);
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      const { new_totp_secret: sealed } = await trx
        .selectFrom('staff_members')
        .select('new_totp_secret')
        .where('id', '=', staffId)
        .executeTakeFirstOrThrow();
      if (sealed === null) throw new Refusal(422, 'Please begin to set up the second step again.');
      const secret = ctx.vault.open('newTotpSecret', staffId, sealed);
      const step = await stepOf(ctx, secret, code);
      if (step === null)
        throw new Refusal(
          422,
          'The code is not right. Please enter the one that the app shows now.',
        );
      await trx
        .updateTable('staff_members')
        .set({ totp_secret: ctx.vault.seal('totpSecret', staffId, secret), totp_step: step })
        .where('id', '=', staffId)
        .execute();
      await noteChange(ctx, trx, staff, { what: 'appSet' }, request);
    });
}
