import { calendarDateIn, isAfterToday } from '@gatehouse/contract/dates';
import {
  expirationTooEarly,
  type UpdateInsuranceParams,
} from '@gatehouse/contract/insurance-plans';
import { toCents } from '@gatehouse/contract/money';
import { formTypes, type RequestReceipt } from '@gatehouse/contract/requests';
import type { Context } from '#context/context.ts';
import {
  insuranceRequestEmail,
  type PlanFacts,
  type PolicyFacts,
} from '#emails/staff/insurance-request.ts';
import { getRequester } from '#features/service/requests/requester.ts';
import { askStaff } from '#features/service/requests/requests.ts';
import type { Caller } from '#http/guard.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import { findInsurance, findRentalOf } from './insurance.ts';

/**
 * Asks the facility for another protection plan for a rental, or for private insurance in its
 * place. The plan's price is the facility's own. Refuses with 404 a unit that the record does not
 * rent and a plan of another facility or with an end, with 422 an expiration before the facility's
 * tomorrow.
 */
export async function requestPlanChange(
  ctx: Context,
  caller: Caller,
  { tenantId, params }: { tenantId: string; params: UpdateInsuranceParams },
  idempotencyKey: string | undefined,
): Promise<RequestReceipt> {
  const today = calendarDateIn(caller.timeZone, ctx.clock.now());
  if ('coverageEnd' in params && !isAfterToday(params.coverageEnd, today))
    throw new Refusal(422, expirationTooEarly());
  const ledgerId = await findRentalOf(ctx.db, { tenantId, unitId: params.unitId }, today);
  if (ledgerId === null) throw notFound();
  const wanted =
    'coverageId' in params
      ? { plan: await getPlan(ctx, caller, params.coverageId, true) }
      : policyOf(params);
  const [insurance] = await findInsurance(ctx.db, [tenantId], today, [ledgerId]);
  const now =
    insurance?.protection_plan_id == null
      ? null
      : await getPlan(ctx, caller, insurance.protection_plan_id, false);
  return askStaff(ctx, {
    kind: formTypes.insurance,
    requester: await getRequester(ctx.db, caller.tenantIds, ledgerId),
    asker: { userId: caller.userId, idempotencyKey },
    given:
      'coverageId' in params ? { coverageId: params.coverageId.toLowerCase() } : policyOf(params),
    facts: { now, ...wanted },
    email: insuranceRequestEmail,
  });
}

/** A plan of the facility; one without an end, where it must be on offer. */
async function getPlan(
  { db }: Context,
  { facilityId }: Caller,
  planId: string,
  mustBeOffered: boolean,
): Promise<PlanFacts> {
  const plan = await db
    .selectFrom('protection_plans')
    .select(['description', 'coverage_cents as coverageCents', 'premium_cents as premiumCents'])
    .where('id', '=', planId)
    .where('facility_id', '=', facilityId)
    .$if(mustBeOffered, (query) => query.where('ended_on', 'is', null))
    .executeTakeFirst();
  if (plan === undefined) throw notFound();
  return plan;
}

type PrivateInsurance = Extract<UpdateInsuranceParams, { coverageEnd: string }>;

function policyOf({ description, policyNumber, coverageAmount, coverageEnd }: PrivateInsurance): {
  policy: PolicyFacts;
} {
  return {
    policy: {
      company: description,
      policyNumber,
      coverageCents: toCents(coverageAmount),
      endsOn: coverageEnd,
    },
  };
}
