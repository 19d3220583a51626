import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { Alert } from '#ui/alert.tsx';

/** That a payment was taken, with the sum in dollars; takes focus. */
export function PaidNote({ amount }: { amount: number }) {
  return (
    <div className="[&_svg]:mt-2 [&_svg]:size-7">
      <Alert tone="good" focus>
        <span className="block text-32 font-semibold tabular-nums">{formatMoney(amount)}</span>
        <span>{t('Your payment has been applied successfully')}</span>
      </Alert>
    </div>
  );
}
