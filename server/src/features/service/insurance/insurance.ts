import { calendarDateIn, isAfterToday } from '@gatehouse/contract/dates';
import { expirationTooEarly, type InsuranceParams } from '@gatehouse/contract/insurance-plans';
import { toCents } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '#context/context.ts';
import { anyOf } from '#db/any-of.ts';
import { isCurrentRental } from '#db/current-rental.ts';
import type { Database } from '#db/database.ts';
import type { Caller } from '#http/guard.ts';
import { notFound, Refusal } from '#errors/refusal.ts';

/**
 * The insurance of a ledger; a protection plan and a private policy may exist at once. Money in
 * cents.
 */
export type InsuranceRow = {
  ledger_id: string;
  protection_plan_id: string | null;
  plan_coverage_cents: number | null;
  premium_cents: number | null;
  policy_number: string | null;
  policy_coverage_cents: number | null;
  policy_company: string | null;
  policy_ends_on: string | null;
  refused_company: string | null;
  refusal: string | null;
};

/**
 * One row for each current ledger of the tenant records; with `ledgerIds`, of these only and in
 * their order. An ended plan or policy counts as none on the facility's `today`, and so does a
 * policy that staff refused.
 */
export async function findInsurance(
  db: Database,
  tenantIds: string[],
  today: string,
  ledgerIds: string[] | null = null,
): Promise<InsuranceRow[]> {
  const [isAsked, place] =
    ledgerIds === null
      ? [sql`true`, sql`u.name`]
      : [sql`l.id = ${anyOf(ledgerIds)}`, sql`array_position(${ledgerIds}::uuid[], l.id)`];
  const { rows } = await sql<InsuranceRow>`
    SELECT l.id AS ledger_id, p.id AS protection_plan_id, p.coverage_cents AS plan_coverage_cents, p.premium_cents,
      i.policy_number, i.coverage_cents AS policy_coverage_cents, i.company AS policy_company, i.ends_on AS policy_ends_on,
      refused.company AS refused_company, refused.refusal
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    LEFT JOIN LATERAL (${activePlan(sql`${today}::date`)}) p ON true
    LEFT JOIN private_policies i ON i.ledger_id = l.id AND i.replaced_at IS NULL
      AND i.refusal IS NULL AND (i.ends_on IS NULL OR i.ends_on >= ${today}::date)
    LEFT JOIN private_policies refused ON refused.ledger_id = l.id AND refused.replaced_at IS NULL
      AND refused.refusal IS NOT NULL
    WHERE l.tenant_id = ${anyOf(tenantIds)} AND is_current_on(l.moved_out_on, ${today}::date) AND ${isAsked}
    ORDER BY ${place}`.execute(db);
  return rows;
}

/** The protection plan that the ledger `l` has on a day. */
export function activePlan(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT plan.* FROM ledger_protection_plans lp JOIN protection_plans plan ON plan.id = lp.protection_plan_id
    WHERE lp.ledger_id = l.id AND lp.starts_on <= ${day} AND (lp.ends_on IS NULL OR lp.ends_on >= ${day})
    ORDER BY lp.starts_on DESC LIMIT 1`;
}

/** A plan for the unit of a tenant record. */
type PlanChoice = { tenantId: string; unitId: string; coverageId: string };

/**
 * Adds a protection plan to a rental, from the facility's today on; later billing charges its
 * premium. Returns the ledger. Refuses with 404 a unit that the record does not rent, a plan of
 * another facility, and a plan with an end, which could not be billed; with 409 a second plan, also
 * for concurrent requests.
 */
export async function addProtectionPlan(
  ctx: Context,
  caller: Caller,
  choice: PlanChoice,
): Promise<string> {
  const { tenantId, unitId, coverageId } = choice;
  const today = calendarDateIn(caller.timeZone, ctx.clock.now());
  const ledgerId = await findRentalOf(ctx.db, { tenantId, unitId }, today);
  const plan = await ctx.db
    .selectFrom('protection_plans')
    .select('id')
    .where('id', '=', coverageId)
    .where('facility_id', '=', caller.facilityId)
    .where('ended_on', 'is', null)
    .executeTakeFirst();
  if (ledgerId === null || plan === undefined) throw notFound();
  const { rows } = await sql`
    INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on, user_id, created_at)
    SELECT ${ledgerId}, ${plan.id}, ${today}::date, ${caller.userId}, ${ctx.clock.now()}
    WHERE NOT EXISTS (
      SELECT FROM ledger_protection_plans WHERE ledger_id = ${ledgerId} AND (ends_on IS NULL OR ends_on >= ${today}::date)
    )
    ON CONFLICT (ledger_id) WHERE ends_on IS NULL DO NOTHING
    RETURNING id`.execute(ctx.db);
  if (rows.length === 0)
    throw new Refusal(
      409,
      t('This unit has an active protection plan already. Please call your facility to change it.'),
    );
  return ledgerId;
}

/**
 * The current rental of a unit by a tenant record on the facility's `today`; the earlier one where
 * the next exists already.
 */
export async function findRentalOf(
  db: Database,
  { tenantId, unitId }: { tenantId: string; unitId: string },
  today: string,
): Promise<string | null> {
  const ledger = await db
    .selectFrom('ledgers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('unit_id', '=', unitId)
    .where(isCurrentRental(today))
    .orderBy('moved_in_on')
    .executeTakeFirst();
  return ledger?.id ?? null;
}

/**
 * Stores proof of private insurance for a rental, from the facility's today on; an earlier one
 * stays stored as replaced. Refuses with 422 an expiration before the facility's tomorrow.
 */
export async function giveInsuranceProof(
  ctx: Context,
  caller: Caller,
  ledgerId: string,
  proof: InsuranceParams,
): Promise<void> {
  const now = ctx.clock.now();
  const today = calendarDateIn(caller.timeZone, now);
  if (!isAfterToday(proof.coverageEnd, today)) throw new Refusal(422, expirationTooEarly());
  await ctx.db.transaction().execute(async (trx) => {
    // Locked, so that of two concurrent proofs the second replaces the first.
    const ledger = await trx
      .selectFrom('ledgers')
      .select('id')
      .where('id', '=', ledgerId)
      .where('tenant_id', 'in', caller.tenantIds)
      .where(isCurrentRental(today))
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (ledger === undefined) throw notFound();
    await trx
      .updateTable('private_policies')
      .set({ replaced_at: now })
      .where('ledger_id', '=', ledger.id)
      .where('replaced_at', 'is', null)
      .execute();
    await trx
      .insertInto('private_policies')
      .values({
        ledger_id: ledger.id,
        company: proof.description,
        policy_number: proof.policyNumber,
        coverage_cents: toCents(proof.coverageAmount),
        starts_on: today,
        ends_on: proof.coverageEnd,
        user_id: caller.userId,
        created_at: now,
      })
      .execute();
  });
}
