import type { Autopay } from '@gatehouse/contract/autopay';
import { sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';

type Line = { description: string; amount: number };

/**
 * The lines, in dollars, that make up what autopay takes next: those of the next bill with the card
 * fee, and what is owed already or to the tenant's credit. None where autopay takes nothing.
 */
export function chargeLines({
  nextCharge,
  nextBill,
  creditCard,
}: Pick<Autopay, 'nextCharge' | 'nextBill' | 'creditCard'>): Line[] {
  if (nextCharge === null) return [];
  const isBill = nextBill != null && nextBill.date <= nextCharge.date;
  const bill = isBill
    ? [
        ...nextBill.lines,
        { description: t('Card fee'), amount: creditCard?.bringsFee ? nextBill.cardFee : 0 },
      ]
    : [];
  const rest = sumDollars([nextCharge.amount, ...bill.map(({ amount }) => -amount)]);
  return [
    ...bill,
    { description: rest > 0 ? t('Owed already') : t('Your credit'), amount: rest },
  ].filter(({ amount }) => amount !== 0);
}
