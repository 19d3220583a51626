import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  addInsurance,
  listInsuranceCoverages,
  listInsuranceStatuses,
  listLedgerInsuranceStatuses,
  submitInsuranceProof,
  updateInsurance,
  type InsuranceStatus,
} from '@gatehouse/contract/insurance';
import { toDollars } from '@gatehouse/contract/money';
import type { Context } from '#context.ts';
import type { Caller } from '#http/guard.ts';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#refusal.ts';
import { addProtectionPlan, findInsurance, giveInsuranceProof } from './insurance.ts';
import { requestPlanChange } from './plan-change.ts';
import { insuranceView } from './view.ts';

export function insuranceRoutes({ guarded }: Routes): void {
  guarded(listInsuranceStatuses, ({ ctx, caller }) => statuses(ctx, caller));

  guarded(listLedgerInsuranceStatuses, ({ ctx, caller, params }) =>
    statuses(ctx, caller, params.ledgerIds.toLowerCase().split(',')),
  );

  guarded(listInsuranceCoverages, async ({ ctx, caller }) => {
    const rows = await ctx.db
      .selectFrom('protection_plans')
      .selectAll()
      .where('facility_id', '=', caller.facilityId)
      .where('ended_on', 'is', null)
      .orderBy('coverage_cents')
      .orderBy('premium_cents')
      .execute();
    return rows.map(({ id, description, coverage_cents, premium_cents }) => ({
      id,
      description,
      coverage: toDollars(coverage_cents),
      premium: toDollars(premium_cents),
    }));
  });

  guarded(addInsurance, async ({ ctx, caller, params, body }) => {
    const { unitId, coverageId } = body;
    return statusOf(
      ctx,
      caller,
      await addProtectionPlan(ctx, caller, { tenantId: params.tenantId, unitId, coverageId }),
    );
  });

  guarded(updateInsurance, ({ ctx, caller, params, body, idempotencyKey }) =>
    requestPlanChange(ctx, caller, { tenantId: params.tenantId, params: body }, idempotencyKey),
  );

  guarded(submitInsuranceProof, async ({ ctx, caller, params, body }) => {
    await giveInsuranceProof(ctx, caller, params.ledgerId, body);
    return statusOf(ctx, caller, params.ledgerId);
  });
}

async function statuses(ctx: Context, caller: Caller, ledgerIds?: string[]): Promise<InsuranceStatus[]> {
  const today = calendarDateIn(caller.timeZone, ctx.clock.now());
  return (await findInsurance(ctx.db, caller.tenantIds, today, ledgerIds)).map(insuranceView);
}

async function statusOf(ctx: Context, caller: Caller, ledgerId: string): Promise<InsuranceStatus> {
  const [status] = await statuses(ctx, caller, [ledgerId]);
  if (status === undefined) throw notFound();
  return status;
}
