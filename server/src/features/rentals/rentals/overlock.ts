import { calendarDateIn } from '@gatehouse/contract/dates';
import { settlementAdvice } from '@gatehouse/contract/gate-access';
import { toDollars } from '@gatehouse/contract/money';
import { overlock, release } from '@gatehouse/contract/rentals';
import { isCurrentOn } from '#db/current-rental.ts';
import { unitLockEmail } from '#emails/unit-lock.ts';
import { findGateWaits } from '#features/service/gate-access/settlement.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  getStaffLedgers,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * `rentals.overlock`: refuses with 409 a unit that is locked by hand already and a rental that has
 * ended.
 */
export const overlockUnitOf = workOf(overlock, (on, { ledgerId }) => setLock(on, ledgerId, true));

/** `rentals.release`: refuses with 409 a unit that is not locked by hand. */
export const releaseUnitOf = workOf(release, (on, { ledgerId }) => setLock(on, ledgerId, false));

async function setLock(on: StaffWork, ledgerId: string, isOverlocked: boolean) {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, facilityId, tenantId, timeZone, unitName } = ledger!;
  const rental = await on.trx
    .selectFrom('ledgers')
    .select(['overlocked_at', 'moved_out_on', 'balance_cents'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (isOverlocked && !isCurrentOn(rental.moved_out_on, calendarDateIn(timeZone, on.now)))
    throw new Refusal(409, `Unit ${unitName} was moved out of on ${rental.moved_out_on}.`);
  if (isOverlocked === (rental.overlocked_at !== null))
    throw new Refusal(
      409,
      `Unit ${unitName} is ${isOverlocked ? 'locked by hand already' : 'not locked by hand'}.`,
    );
  await on.trx
    .updateTable('ledgers')
    .set({ overlocked_at: isOverlocked ? on.now : null })
    .where('id', '=', id)
    .execute();
  const wait = (await findGateWaits(on.ctx, on.trx, [id])).get(id);
  await mailTenantOf(on, id, 'legal', (to) => {
    const gateAdvice = wait === undefined ? null : settlementAdvice(wait.date);
    return unitLockEmail({ ...to, unitName, isOverlocked, gateAdvice });
  });
  return {
    reply: {
      isOverlocked,
      ledgers: [{ ledgerId: id, unitName, balance: toDollars(rental.balance_cents) }],
    },
    about: { facilityId, tenantId, ledgerIds: [id] },
  };
}
