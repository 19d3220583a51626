import type { Autopay } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';

/** What autopay will take of the units together on a day of the facility, in dollars. */
export type NextCharge = { date: string; amount: number };

/**
 * What autopay takes next of the selected units with a method, once what is due now is paid, a sum
 * for each day: each unit's next bill, less a credit, with the card fee where the method brings it.
 */
export function nextCharges(
  selected: Pick<Ledger, 'id' | 'balance'>[],
  autopays: Pick<Autopay, 'ledgerId' | 'nextBill'>[],
  bringsFee: boolean,
): NextCharge[] {
  const days = new Map<string, number>();
  for (const { id, balance } of selected) {
    const bill = autopays.find(({ ledgerId }) => ledgerId === id)?.nextBill;
    if (!bill) continue;
    const credit = Math.min(0, balance);
    const fee = bringsFee ? bill.cardFee : 0;
    const amount = sumDollars([...bill.lines.map((line) => line.amount), fee, credit]);
    days.set(bill.date, sumDollars([days.get(bill.date) ?? 0, Math.max(0, amount)]));
  }
  // As texts, which begin with the date.
  return [...days].toSorted().map(([date, amount]) => ({ date, amount }));
}

/** `$204.50 on 12/16/2026, $99.00 on 12/20/2026`. */
export function chargeWords(charges: NextCharge[]): string {
  return charges
    .map(({ date, amount }) =>
      t('{sum} on {day}', { sum: formatMoney(amount), day: formatDate(date) }),
    )
    .join(', ');
}
