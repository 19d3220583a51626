import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';

/** What is left after a payment, and whether it opens the gate, in sentences for the tenant. */
export function previewWords({ left, credit, paidThrough, gate }: PaymentPreview): string[] {
  return [
    ...(left > 0 ? [`${formatMoney(left)} is still due.`] : []),
    ...(credit > 0 && paidThrough !== null
      ? [
          `${formatMoney(credit)} stays as a credit and pays your bills through ${formatDate(paidThrough)} at today’s rates.`,
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
        ? 'The gate opens; after a bank payment, when it has settled.'
        : 'This payment opens the gate.',
    ];
  return more === null
    ? ['The gate stays closed. Please call your facility.']
    : [`Pay ${formatMoney(more)} more to open the gate.`];
}
