import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { Alert } from '#ui/alert.tsx';
import type { Paid } from './use-submission.ts';

type Props = { paid: Paid; ledgers: Ledger[]; focus?: boolean };

/** That the payment was taken, with its receipt: one line a unit where there are several. */
export function PaymentApplied({ paid: { receipts, isPending }, ledgers, focus = false }: Props) {
  return (
    <div className="flex flex-col gap-2">
      <Alert tone="good" focus={focus}>
        Your payment has been applied successfully
      </Alert>
      {receipts.length === 0 ? (
        <p className="text-muted">The receipt number is in Payment History.</p>
      ) : (
        <dl className="divide-y divide-line">
          {receipts.map(({ ledgerId, amount, receiptNumber }) => (
            <div key={ledgerId} className="flex items-baseline justify-between gap-x-4 py-2 max-[20rem]:flex-wrap">
              <dt className="min-w-0 wrap-anywhere">
                {ledgers.find(({ id }) => id === ledgerId)?.unitName}
                <span className="block text-13 text-muted">Receipt {receiptNumber}</span>
              </dt>
              <dd className="font-medium tabular-nums">{formatMoney(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isPending && (
        <p className="text-muted">Your bank still has to confirm it. If it is returned, the balance is due again.</p>
      )}
    </div>
  );
}
