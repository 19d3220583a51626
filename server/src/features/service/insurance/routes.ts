import {
  listInsuranceStatuses,
  listLedgerInsuranceStatuses,
  type InsuranceStatus,
} from '@gatehouse/contract/insurance';
import {
  addInsurance,
  listInsuranceCoverages,
  submitInsuranceProof,
  updateInsurance,
} from '@gatehouse/contract/insurance-plans';
import { toDollars } from '@gatehouse/contract/money';
import type { Context } from '#context/context.ts';
import type { Caller } from '#http/guard.ts';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { addProtectionPlan, giveInsuranceProof } from './insurance.ts';
import { requestPlanChange } from './plan-change.ts';
import { insuranceStatuses } from './statuses.ts';

export function insuranceRoutes({ guarded }: Routes): void {
  guarded(listInsuranceStatuses, ({ ctx, caller }) =>
    insuranceStatuses(ctx, caller.timeZone, caller.tenantIds),
  );

  guarded(listLedgerInsuranceStatuses, ({ ctx, caller, params }) =>
    insuranceStatuses(
      ctx,
      caller.timeZone,
      caller.tenantIds,
      params.ledgerIds.toLowerCase().split(','),
    ),
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

async function statusOf(ctx: Context, caller: Caller, ledgerId: string): Promise<InsuranceStatus> {
  const [status] = await insuranceStatuses(ctx, caller.timeZone, caller.tenantIds, [ledgerId]);
  if (status === undefined) throw notFound();
  return status;
}
