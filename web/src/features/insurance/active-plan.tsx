import type { Facility } from '@gatehouse/contract/facilities';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import { formatMoney } from '@gatehouse/contract/money';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';

type Props = { insurance: InsuranceStatus; plans: InsuranceCoverage[]; facility: Facility };

/** Which plan is active, and that changes beyond a request are the facility's (spec section 5). */
export function ActivePlan({
  insurance: { coverageId, coverage, premium },
  plans,
  facility: { phone },
}: Props) {
  const description = plans.find(({ id }) => id === coverageId)?.description ?? 'Protection plan';
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-control bg-surface px-4 py-3">
        <p>
          Active plan: <strong className="font-medium">{description}</strong>
        </p>
        {coverage !== null && premium !== null && (
          <p className="text-15 text-muted tabular-nums">
            {formatMoney(coverage)} coverage, {formatMoney(premium)} a month
          </p>
        )}
      </div>
      <p className="text-muted">
        You can ask for another plan here. For other changes to your protection plan, please call
        the facility
        {phone !== null && (
          <>
            {' '}
            at{' '}
            <a href={phoneHref(phone)} className="link whitespace-nowrap">
              {formatPhone(phone)}
            </a>
          </>
        )}
        . Private insurance can still be updated.
      </p>
    </div>
  );
}
