import type { Autopay } from '@gatehouse/contract/autopay';
import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { locale } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';

/** What autopay will take of units together on a day of the facility, in dollars. */
export type NextCharge = {
  date: string;
  amount: number;
  /** What of it is card fees. */
  cardFee: number;
  unitNames: string[];
};

/**
 * What autopay takes next of the selected units with a method, once what is due now is paid, a sum
 * for each day: each unit's next bill, less a credit, with the card fee where the method brings it.
 */
export function nextCharges(
  selected: Pick<Ledger, 'id' | 'unitName' | 'balance'>[],
  autopays: Pick<Autopay, 'ledgerId' | 'nextBill'>[],
  bringsFee: boolean,
): NextCharge[] {
  const days = new Map<string, NextCharge>();
  for (const { id, unitName, balance } of selected) {
    const bill = autopays.find(({ ledgerId }) => ledgerId === id)?.nextBill;
    if (!bill) continue;
    const credit = Math.min(0, balance);
    const fee = bringsFee ? bill.cardFee : 0;
    const amount = sumDollars([...bill.lines.map((line) => line.amount), fee, credit]);
    const { date } = bill;
    const day = days.get(date) ?? { date, amount: 0, cardFee: 0, unitNames: [] };
    days.set(date, {
      date,
      amount: sumDollars([day.amount, Math.max(0, amount)]),
      cardFee: sumDollars([day.cardFee, amount > 0 ? fee : 0]),
      unitNames: [...day.unitNames, unitName],
    });
  }
  return [...days.values()].toSorted((one, other) => one.date.localeCompare(other.date));
}

/** `$204.50 on 12/16/2026`. */
export function chargeWords({ date, amount }: Pick<NextCharge, 'date' | 'amount'>): string {
  return t('{sum} on {day}', { sum: formatMoney(amount), day: formatDate(date) });
}

/** `A101, B207 and C014`. */
export function unitsWords(unitNames: string[]): string {
  return new Intl.ListFormat(locale()).format(unitNames);
}
