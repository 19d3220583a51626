import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { action, money, type Block } from './email.ts';

/**
 * A rental that owes something, and what that does to its gate; cents. `gate`: it opens once
 * `cents` are paid, or it closes unless they are paid by `lastDay`; null where the debt does
 * neither.
 */
export type Owed = {
  ledgerId: string;
  unitName: string;
  cents: number;
  gate: { cents: number; lastDay: string | null } | null;
};

/** What rentals owe: what it does to each gate, and the button to pay; another where none does. */
export function owedBlocks(owed: Owed[], otherwise: Block): Block[] {
  return [...owed.flatMap(gateBlocks), payAction(owed) ?? otherwise];
}

/** The subject of a mail about something that closes one gate; null for none, or several. */
export function gateSubject(owed: Owed[]): string | null {
  const [one, ...more] = owed.filter(({ gate }) => gate !== null);
  if (one === undefined || more.length > 0) return null;
  const { unitName } = one;
  const { cents, lastDay } = one.gate!;
  const sum = money(cents);
  return lastDay === null
    ? t('Unit {unitName}: pay {sum} to open the gate', { unitName, sum })
    : t('Unit {unitName}: pay {sum} by {lastDay} to keep your gate code', {
        unitName,
        sum,
        lastDay: formatDate(lastDay),
      });
}

function gateBlocks({ unitName: unit, gate }: Owed): Block[] {
  if (gate === null) return [];
  const sum = money(gate.cents);
  const text =
    gate.lastDay === null
      ? t('The gate code of unit {unit} does not work until {sum} is paid.', { unit, sum })
      : t('The gate code of unit {unit} works through {day}. Pay {sum} by then to keep it.', {
          unit,
          day: formatDate(gate.lastDay),
          sum,
        });
  return [{ kind: 'notice', text }];
}

function payAction(owed: Owed[]): Block | null {
  const [one, ...more] = owed;
  if (one === undefined) return null;
  const amount = money(owed.reduce((sum, { cents }) => sum + cents, 0));
  return action(t('Pay {amount}', { amount }), payPath(one.ledgerId, more.length > 0));
}

/** Opens the pay sheet: of one rental, or of every one of its tenant record that owes. */
export function payPath(ledgerId: string, isAll = false): string {
  return `/billing-info?ledger=${isAll ? `all&of=${ledgerId}` : ledgerId}`;
}

/** The button of a mail about autopay or the rent. */
export function openBilling(): Block {
  return action(t('Open Billing Info'), '/billing-info');
}

/** The button of a mail about a payment, a statement or a refund. */
export function seePayments(): Block {
  return action(t('See your payments'), '/payment-history');
}
