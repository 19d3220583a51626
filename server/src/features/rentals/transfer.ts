import { calendarDateIn } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { transfer } from '@gatehouse/contract/rentals';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { doEach } from '#each.ts';
import { unitTransferEmail } from '#emails/unit-transfer.ts';
import { lockBooks } from '#features/ledgers/postings.ts';
import { queueMail } from '#features/mail/mail.ts';
import {
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/staff-actions/staff-actions.ts';
import { Refusal } from '#refusal.ts';
import { isOverlap } from './unit-days.ts';

/**
 * `rentals.transfer`: the ledger continues in another unit of its facility, today at once, later by the facility's day; it
 * takes the place of a transfer that is planned. Refuses with 404 a unit that is none, with 422 a day in the past and the
 * unit that it is in, with 409 a unit that is rented then and a rental that has ended by then.
 */
export function transferUnitOf(ctx: Context, call: StaffCall, body: unknown): Promise<VerbReply<typeof transfer>> {
  return runStaffVerb(ctx, transfer, call, body, async (on, { ledgerId, unit, on: day, rate }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const { id, facilityId, tenantId, timeZone, unitName } = ledger!;
    const [books] = await lockBooks(on.trx, [id]);
    const today = calendarDateIn(timeZone, on.now);
    if (day < today) throw new Refusal(422, `${day} is in the past: a transfer is today or later.`);
    const { moved_out_on: movedOutOn } = await on.trx
      .selectFrom('ledgers')
      .select('moved_out_on')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (!isCurrentOn(movedOutOn, day)) throw new Refusal(409, `Unit ${unitName} is moved out of on ${movedOutOn}.`);
    const unitId = await getUnit(on, ledger!, unit);
    await plan(on, ledger!, { unitId, unit, day, rateCents: rate === undefined ? null : toCents(rate) });
    if (day === today) await moveNow(on.trx, id, on.now);
    await mailTransfer(on, ledger!, { toUnit: unit, on: day, rateCents: rate === undefined ? null : toCents(rate) });
    return {
      reply: {
        on: day,
        fromUnit: unitName,
        toUnit: unit,
        isDone: day === today,
        ledgers: [{ ledgerId: id, unitName: day === today ? unit : unitName, balance: toDollars(books!.balanceCents) }],
      },
      about: { facilityId, tenantId, ledgerIds: [id], details: { toUnit: unitId, on: day } },
    };
  });
}

/** Moves the rentals of a facility whose transfer has come by `date`, the facility's day, each by itself. Answers how many. */
export async function makeTransfers(
  ctx: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.transfer_unit_id
    WHERE u.facility_id = ${facilityId} AND l.transfer_on <= ${date}::date AND is_current_on(l.moved_out_on, ${date}::date)
    ORDER BY l.id`.execute(ctx.db);
  await doEach(rows, { atOnce: 1, what: 'rentals could not be transferred' }, ({ id }) =>
    ctx.db.transaction().execute(async (trx) => {
      await lockBooks(trx, [id]);
      await moveNow(trx, id, ctx.clock.now());
    }),
  );
  return rows.length;
}

async function getUnit(
  { trx }: StaffWork,
  { facilityId, unitId, unitName }: StaffLedger,
  unit: string,
): Promise<string> {
  const row = await trx
    .selectFrom('units')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('name', '=', unit)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal(404, `There is no unit ${unit} at this facility.`);
  if (row.id === unitId) throw new Refusal(422, `The rental is in unit ${unitName} already.`);
  return row.id;
}

type Plan = { unitId: string; unit: string; day: string; rateCents: number | null };

async function plan({ trx }: StaffWork, { id }: StaffLedger, { unitId, unit, day, rateCents }: Plan): Promise<void> {
  try {
    await trx
      .updateTable('ledgers')
      .set(({ eb }) => ({
        transfer_unit_id: unitId,
        transfer_on: day,
        transfer_rate_cents: rateCents,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (!isOverlap(error)) throw error;
    throw new Refusal(409, `Unit ${unit} is rented on ${day} or later.`);
  }
}

/** The planned unit becomes the ledger's own, once; where it was is kept. */
async function moveNow(trx: DatabaseTransaction, ledgerId: string, at: Date): Promise<void> {
  await sql`
    WITH before AS (
      SELECT id, unit_id, coalesce(unit_since, moved_in_on) AS from_on, transfer_on FROM ledgers
      WHERE id = ${ledgerId} AND transfer_on IS NOT NULL
    ), past AS (
      INSERT INTO past_units (ledger_id, unit_id, from_on, until_on, left_at)
      SELECT id, unit_id, from_on, transfer_on, ${at}::timestamptz FROM before
    )
    UPDATE ledgers l SET unit_id = l.transfer_unit_id, unit_since = l.transfer_on,
      rental_rate_cents = coalesce(l.transfer_rate_cents, l.rental_rate_cents), transfer_unit_id = NULL, transfer_on = NULL,
      transfer_rate_cents = NULL, version = l.version + 1
    FROM before WHERE l.id = before.id`.execute(trx);
}

async function mailTransfer(
  { ctx, trx }: StaffWork,
  { id, unitName }: StaffLedger,
  facts: { toUnit: string; on: string; rateCents: number | null },
): Promise<void> {
  const { to, ...addressee } = await trx
    .selectFrom('ledgers as l')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['t.email as to', 't.first_name as firstName', 'f.name', 'f.phone'])
    .where('l.id', '=', id)
    .executeTakeFirstOrThrow();
  await queueMail(ctx, trx, { to, email: unitTransferEmail({ ...addressee, fromUnit: unitName, ...facts }) });
}
