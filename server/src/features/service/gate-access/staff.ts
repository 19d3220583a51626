import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { changeCode } from '@gatehouse/contract/rentals';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import { gateCodeChangedEmail } from '#emails/gate-code-changed.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  getStaffLedgers,
  noteShown,
  type NotedCaller,
  type StaffCall,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { isAuthorizedOn } from './authorized-persons.ts';
import { giveGateCode } from './codes.ts';

/** A rental's gate code as staff read it; null where it has none. */
export type ShownGateCode = {
  ledgerId: string;
  unitName: string;
  gateCode: string | null;
  /** Those of further persons whose code opens. */
  others: { name: string; gateCode: string }[];
};

/**
 * `rentals.code`: the gate code of a rental, also of one that is locked out, and notes in the audit
 * trail that it was shown, before it is. Refuses with 404 one that is not there or of another
 * facility.
 */
export async function showGateCodeOf(
  ctx: Context,
  call: NotedCaller & Pick<StaffCall, 'facilityIds'>,
  ledgerId: string,
): Promise<ShownGateCode> {
  const { rows } = await sql<{
    tenantId: string;
    facilityId: string;
    unitName: string;
    timeZone: string;
    sealed: string | null;
  }>`
    SELECT l.tenant_id AS "tenantId", u.facility_id AS "facilityId", u.name AS "unitName", f.time_zone AS "timeZone", c.access_code AS sealed
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id LEFT JOIN gate_codes c ON c.ledger_id = l.id
    WHERE l.id = ${ledgerId} AND (${call.facilityIds}::uuid[] IS NULL OR u.facility_id = ANY(${call.facilityIds}::uuid[]))`.execute(
    ctx.db,
  );
  const [rental] = rows;
  if (rental === undefined) throw new Refusal(404, `There is no rental ${ledgerId}.`);
  const { tenantId, facilityId, unitName, sealed } = rental;
  await noteShown(ctx, 'rentals.code', call, { facilityId, tenantId, ledgerIds: [ledgerId] });
  const gateCode = sealed === null ? null : ctx.vault.open('gateCode', ledgerId, sealed);
  const today = calendarDateIn(rental.timeZone, ctx.clock.now());
  const persons = await sql<{ id: string; name: string; sealed: string }>`
    SELECT p.id, p.name, p.access_code AS sealed FROM authorized_persons p
    WHERE p.ledger_id = ${ledgerId} AND ${isAuthorizedOn(today)} ORDER BY p.name, p.id`.execute(
    ctx.db,
  );
  const others = persons.rows.map((one) => ({
    name: one.name,
    gateCode: ctx.vault.open('personCode', one.id, one.sealed),
  }));
  return { ledgerId, unitName, gateCode, others };
}

/**
 * `rentals.changeCode`: refuses with 404 a rental that is not there or of another facility, with
 * 409 one that has ended, and a code as `giveGateCode` does.
 */
export const changeCodeOf = workOf(changeCode, change);

async function change(
  on: StaffWork,
  { ledgerId, gateCode }: { ledgerId: string; gateCode?: string },
) {
  const { ctx, trx, now } = on;
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, facilityId, tenantId, timeZone, unitName } = ledger!;
  const rental = await trx
    .selectFrom('ledgers')
    .select(['moved_out_on', 'balance_cents'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!isCurrentOn(rental.moved_out_on, calendarDateIn(timeZone, now)))
    throw new Refusal(409, `Unit ${unitName} was moved out of on ${rental.moved_out_on}.`);
  await giveGateCode(ctx, trx, { ledgerId: id, tenantId, facilityId }, gateCode);
  await mailTenantOf(on, id, 'security', (to) => gateCodeChangedEmail({ ...to, unitName }));
  return {
    reply: {
      ledgers: [{ ledgerId: id, unitName, balance: toDollars(rental.balance_cents) }],
    },
    about: { facilityId, tenantId, ledgerIds: [id] },
  };
}
