import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { t } from '@gatehouse/language/t';

/** What is left after a payment, and whether it opens the gate, in sentences for the tenant. */
export function previewWords({ left, credit, paidThrough, gate }: PaymentPreview): string[] {
  return [
    ...(left > 0 ? [t('{sum} is still due.', { sum: formatMoney(left) })] : []),
    ...(credit > 0 && paidThrough !== null
      ? [
          t('{sum} stays as a credit and pays your bills through {day} at today’s rates.', {
            sum: formatMoney(credit),
            day: formatDate(paidThrough),
          }),
        ]
      : []),
    ...gateWords(gate),
  ];
}

function gateWords(gate: PaymentPreview['gate']): string[] {
  if (gate === null) return [];
  const { isOpened, more, waitsForBank } = gate;
  if (isOpened)
    return [
      waitsForBank
        ? t('The gate opens; after a bank payment, when it has settled.')
        : t('This payment opens the gate.'),
    ];
  return more === null
    ? [t('The gate stays closed. Please call your facility.')]
    : [t('Pay {sum} more to open the gate.', { sum: formatMoney(more) })];
}
