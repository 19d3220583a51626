import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { Alert } from '#ui/alert.tsx';

type Props = {
  amount: number;
  children?: ReactNode;
  /** Under it in the same panel, and not announced. */
  rows?: ReactNode;
};

/** That a payment was taken, with the sum in dollars and what else; takes focus. */
export function PaidNote({ amount, children, rows }: Props) {
  return (
    <div className="drawn [&>div>svg]:mt-2 [&>div>svg]:size-7">
      <Alert tone="good" focus rows={rows && <div className="-my-2">{rows}</div>}>
        <span className="block text-32 font-semibold tabular-nums">{formatMoney(amount)}</span>
        <span>{t('Your payment has been applied successfully')}</span>
        {children}
      </Alert>
    </div>
  );
}
