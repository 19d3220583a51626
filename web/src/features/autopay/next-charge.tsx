import type { Autopay } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { Icon } from '#ui/icons.tsx';

/** What keeps autopay from charging, or will. */
export function AutopayProblem({ record: { problem } }: { record: Autopay }) {
  return (
    problem !== null && (
      <p className="mt-1 flex items-start gap-1.5 text-left text-15 font-medium text-warn">
        <Icon name="alert" className="mt-0.5 size-4.5" />
        <span>{problem}</span>
      </p>
    )
  );
}

/** The next charge with its full amount, as the tenant reads it wherever it is named. */
export function nextChargeWords({ amount, date }: NonNullable<Autopay['nextCharge']>): string {
  return t('Next charge: {sum} on {day}', { sum: formatMoney(amount), day: formatDate(date) });
}
