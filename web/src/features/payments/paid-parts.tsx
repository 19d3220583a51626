import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { t } from '@gatehouse/language/t';

/** What another amount pays, entry by entry, and of several the total. */
export function PaidParts({ preview }: { preview: PaymentPreview }) {
  return (
    <ul aria-label={t('What it pays')} className="divide-y divide-line border-y border-line">
      {preview.pays.map(({ description, amount, isWhole }, index) => (
        <li key={index} className="flex items-baseline justify-between gap-x-4 py-2">
          <span className="min-w-0 wrap-anywhere tabular-nums">
            {isWhole ? nameOf(description) : t('Part of {entry}', { entry: nameOf(description) })}
          </span>
          <span className="tabular-nums">{formatMoney(amount)}</span>
        </li>
      ))}
      {preview.pays.length > 1 && (
        <li className="flex items-baseline justify-between gap-x-4 py-2 font-semibold">
          <span>{t('Total')}</span>
          <span className="tabular-nums">
            {formatMoney(sumDollars(preview.pays.map(({ amount }) => amount)))}
          </span>
        </li>
      )}
    </ul>
  );
}

/** No line ends within the days of a period. */
function nameOf(description: string): string {
  return entryName(description).replace(' - ', '\u00a0-\u00a0');
}
