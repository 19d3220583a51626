import type { FacilityFile, MorningKind, RecipientKind } from '@gatehouse/contract/office/settings';
import { isMorningKind } from '@gatehouse/contract/office/settings';
import { sql } from 'kysely';
import type { AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { addRecipients, removeRecipients } from '#features/service/requests/recipients.ts';
import { countStaffMail } from '#features/base/limits/staff-mails.ts';
import { auditFacilityChange } from '#features/base/staff-actions/facility-changes.ts';
import { getOwnFacility, type StaffMember } from '#http/staff-guard.ts';
import { readFacility } from './settings.ts';

/** The most addresses of a facility for the mails of the morning. */
const MOST = 50;

type Change = {
  facilityId: string;
  kind: RecipientKind | null;
  address: string;
  isRemoved: boolean;
};

/**
 * Adds an address to who is mailed what of a facility in reach, or removes it; what is so already
 * stays so. Refuses with 404 a facility out of reach, with 422 too many addresses, and with 429 too
 * many strangers.
 */
export async function changeRecipient(
  work: Context,
  staff: StaffMember,
  { facilityId, kind, address, isRemoved }: Change,
  origin: AuditedRequest,
): Promise<FacilityFile> {
  const { id } = getOwnFacility(staff, facilityId);
  return work.db.transaction().execute(async (trx) => {
    const isChanged =
      kind !== null && isMorningKind(kind)
        ? await changeMorning(trx, id, { kind, address, isRemoved })
        : (await (isRemoved ? removeRecipients : addRecipients)(trx, id, [{ kind, address }])) > 0;
    if (isChanged) {
      if (!isRemoved) await countStaffMail(work, trx, { to: address, staffId: staff.staffId });
      await auditFacilityChange(work, trx, staff, origin, {
        verb: `facilities.${isRemoved ? 'removeRecipient' : 'addRecipient'}`,
        facilityId: id,
        details: { kind: kind ?? 'every request', address },
      });
    }
    return readFacility(trx, staff, id);
  });
}

async function changeMorning(
  trx: DatabaseTransaction,
  facilityId: string,
  { kind, address, isRemoved }: Pick<Change, 'address' | 'isRemoved'> & { kind: MorningKind },
): Promise<boolean> {
  if (isRemoved) {
    const { numDeletedRows } = await trx
      .deleteFrom('morning_recipients')
      .where('facility_id', '=', facilityId)
      .where('kind', '=', kind)
      .where(sql<boolean>`lower(address) = lower(${address})`)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
  const added = await trx
    .insertInto('morning_recipients')
    .values({ facility_id: facilityId, kind, address })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  const { count } = await trx
    .selectFrom('morning_recipients')
    .select(trx.fn.countAll<number>().as('count'))
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow();
  if (count > MOST) throw new Refusal(422, `A facility has at most ${MOST} addresses.`);
  return added !== undefined;
}
