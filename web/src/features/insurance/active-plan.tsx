import type { Facility } from '@gatehouse/contract/facilities';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import { formatMoney } from '@gatehouse/contract/money';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';

type Props = { insurance: InsuranceStatus; plans: InsuranceCoverage[]; facility: Facility };

/** Which plan is active, and that changes beyond a request are the facility's. */
export function ActivePlan({
  insurance: { coverageId, coverage, premium },
  plans,
  facility: { phone },
}: Props) {
  const description =
    plans.find(({ id }) => id === coverageId)?.description ?? t('Protection plan');
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-control bg-surface px-4 py-3">
        <p>
          {rich('Active plan: {plan}', {
            plan: <strong className="font-medium">{description}</strong>,
          })}
        </p>
        {coverage !== null && premium !== null && (
          <p className="text-15 text-muted tabular-nums">
            {t('{coverage} coverage, {premium} a month', {
              coverage: formatMoney(coverage),
              premium: formatMoney(premium),
            })}
          </p>
        )}
      </div>
      <ul className="flex list-disc flex-col gap-2 pl-5 text-muted">
        <li>{t('You can ask for another plan here.')}</li>
        {phone === null ? (
          <li>{t('For other changes to your protection plan, please call the facility.')}</li>
        ) : (
          <li>
            {rich(
              'For other changes to your protection plan, please call the facility at {phone}.',
              {
                phone: (
                  <a href={phoneHref(phone)} className="link whitespace-nowrap">
                    {formatPhone(phone)}
                  </a>
                ),
              },
            )}
          </li>
        )}
        <li>{t('Private insurance can still be updated.')}</li>
      </ul>
    </div>
  );
}
