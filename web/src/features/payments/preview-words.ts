import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import { t } from '@gatehouse/language/t';

type Preview = Pick<PaymentPreview, 'left' | 'credit' | 'paidThrough' | 'gate'>;

/** What is left after a payment, in sentences for the tenant, without what `gateWords` says. */
export function previewWords({ left, credit, paidThrough, gate }: Preview): string[] {
  const isSaid = gate !== null && !gate.isOpened && gate.more === left;
  return [
    ...(left > 0 && !isSaid ? [t('{sum} is still due.', { sum: formatMoney(left) })] : []),
    ...(credit > 0 && paidThrough !== null
      ? [
          t('{sum} stays as a credit and pays your bills through {day} at today’s rates.', {
            sum: formatMoney(credit),
            day: formatDate(paidThrough),
          }),
        ]
      : []),
  ];
}

/** Whether a payment opens a gate that is closed, and else why not; null where it is open. */
export function gateWords({ gate, left }: Pick<Preview, 'gate' | 'left'>): string | null {
  if (gate === null) return null;
  const { isOpened, more, waitsForBank } = gate;
  if (isOpened)
    return waitsForBank
      ? t('The gate opens; after a bank payment, when it has settled.')
      : t('This payment opens the gate.');
  if (more === null) return t('The gate stays closed. Please call your facility.');
  const sum = formatMoney(more);
  return more === left
    ? t('The gate stays closed: {sum} is still due.', { sum })
    : t('The gate stays closed. Pay {sum} more to open it.', { sum });
}
