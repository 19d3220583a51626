import { randomUUID } from 'node:crypto';
import { authorizePerson, endAuthorization } from '@gatehouse/contract/authorized-persons';
import { calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { isCurrentOn } from '#db/current-rental.ts';
import { personAuthorizedEmail } from '#emails/person-authorized.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  getStaffLedgers,
  type StaffLedger,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { personCode } from './codes.ts';

/** A gate serves few further persons a rental; more is a slip, or a code that is sold. */
const MOST_PERSONS = 20;

/**
 * `rentals.authorize`. Refuses with 404 a rental that is not there or of another facility, with 409
 * one that has ended, more than twenty persons of it, and a code that is or was in use, and with
 * 422 a last day that is over.
 */
export const authorizePersonFor = workOf(authorizePerson, async (on, given) => {
  const { name, phone = null, lastOn = null, gateCode } = given;
  const [ledger] = await getStaffLedgers(on, [given.ledgerId]);
  const { id: ledgerId, facilityId, timeZone, unitName } = ledger!;
  const today = calendarDateIn(timeZone, on.now);
  const { moved_out_on } = await on.trx
    .selectFrom('ledgers')
    .select('moved_out_on')
    .where('id', '=', ledgerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!isCurrentOn(moved_out_on, today))
    throw new Refusal(409, `Unit ${unitName} was moved out of on ${moved_out_on}.`);
  if (lastOn !== null && lastOn < today)
    throw new Refusal(422, `The last day ${formatDate(lastOn)} is over.`);
  const { count } = await on.trx
    .selectFrom('authorized_persons as p')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ledger_id', '=', ledgerId)
    .where(isAuthorizedOn(today))
    .executeTakeFirstOrThrow();
  if (count >= MOST_PERSONS)
    throw new Refusal(409, `Unit ${unitName} has ${MOST_PERSONS} persons: end one first.`);
  const personId = randomUUID();
  const code = await personCode(on.ctx, on.trx, facilityId, gateCode);
  await on.trx
    .insertInto('authorized_persons')
    .values({
      ...{ id: personId, ledger_id: ledgerId, facility_id: facilityId, name, phone },
      last_on: lastOn,
      access_code: on.ctx.vault.seal('personCode', personId, code),
      ...{ by_name: on.call.by, created_at: on.now },
    })
    .execute();
  await mailTenantOf(on, ledgerId, 'security', (to) =>
    personAuthorizedEmail({ ...to, unitName, person: name }),
  );
  return {
    reply: { personId, name, phone, lastOn, unitName },
    about: aboutOf(ledger!, { person: name }),
  };
});

/**
 * `rentals.endAuthorization`. Refuses with 404 a person who is not there or of another facility,
 * and with 422 one whose code was ended before.
 */
export const endAuthorizationOf = workOf(endAuthorization, async (on, { personId }) => {
  const person = await on.trx
    .selectFrom('authorized_persons')
    .select(['id', 'ledger_id', 'name', 'phone', 'last_on', 'ended_at'])
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined) throw new Refusal(404, `There is no authorized person ${personId}.`);
  const [ledger] = await getStaffLedgers(on, [person.ledger_id]);
  if (person.ended_at !== null) throw new Refusal(422, 'This code was ended before.');
  await on.trx
    .updateTable('authorized_persons')
    .set({ ended_at: on.now })
    .where('id', '=', person.id)
    .execute();
  const { name, phone, last_on: lastOn } = person;
  return {
    reply: { personId: person.id, name, phone, lastOn, unitName: ledger!.unitName },
    about: aboutOf(ledger!, { person: name }),
  };
});

function aboutOf({ id, facilityId, tenantId }: StaffLedger, details: Record<string, string>) {
  return { facilityId, tenantId, ledgerIds: [id], details };
}

/** Whether the code of a person `p` opens on the facility's `today`. */
export const isAuthorizedOn = (today: string) =>
  sql<boolean>`(p.ended_at IS NULL AND (p.last_on IS NULL OR p.last_on >= ${today}::date))`;
