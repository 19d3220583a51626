import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { Alert } from '#ui/alert.tsx';

type Props = { amount: number; children?: ReactNode };

/** That a payment was taken, with the sum in dollars and what else; takes focus. */
export function PaidNote({ amount, children }: Props) {
  return (
    <div className="drawn [&_svg]:mt-2 [&_svg]:size-7">
      <Alert tone="good" focus>
        <span className="block text-32 font-semibold tabular-nums">{formatMoney(amount)}</span>
        <span>{t('Your payment has been applied successfully')}</span>
        {children}
      </Alert>
    </div>
  );
}
