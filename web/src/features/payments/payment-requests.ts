import type { Autopay } from '@gatehouse/contract/autopay';
import type { AutopayUpdateParams } from '@gatehouse/contract/autopay-changes';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { sumDollars } from '@gatehouse/contract/money';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import type { PaymentPreview } from '@gatehouse/contract/payment-preview';
import type { PaymentParams } from '@gatehouse/contract/payments';
import { formTypes } from '@gatehouse/contract/requests';
import { MOST_COPIED } from '@gatehouse/contract/text';

type Owing = Pick<Ledger, 'id' | 'unitId' | 'balance'>;

/**
 * What is paid of one unit instead of its balance, in dollars: a part, or with `prepayMonths` also
 * this many bills to come.
 */
export type OtherAmount = { amount: number; prepayMonths?: number };

/** What is due, or another amount with what it does; null until that is known. */
export type AmountChoice =
  | 'due'
  | { other: null; preview?: undefined }
  | { other: OtherAmount; preview: PaymentPreview };

/** The units that a payment is for: those that owe, or the one of another amount. */
export function paidOf<Unit extends Pick<Owing, 'balance'>>(
  selected: Unit[],
  other: OtherAmount | null,
): Unit[] {
  return other === null ? selected.filter(({ balance }) => balance > 0) : selected;
}

/**
 * The payment lines of the selected units: each positive balance whole, nothing for the others;
 * another amount is of the one selected unit.
 */
export function paymentLines(
  selected: Owing[],
  other: OtherAmount | null = null,
): PaymentParams['payments'] {
  return paidOf(selected, other).map(({ id, unitId, balance }) => ({
    ledgerId: id,
    unitId,
    amount: other?.amount ?? balance,
  }));
}

/** The sum of the selected units' positive balances, in dollars. */
export function amountDue(selected: Pick<Owing, 'balance'>[]): number {
  return sumDollars(selected.map(({ balance }) => Math.max(0, balance)));
}

/** Who pays, as the notices to the facility name them. */
export type Payer = { firstName?: string | undefined; lastName?: string | undefined };

/**
 * The parts of paymentParams that the specification has besides lines and method. They decide
 * nothing: the server goes by its own records. `today` is the facility's.
 */
export function paymentNotice(
  lines: PaymentParams['payments'],
  method: PaymentMethodFields,
  {
    payer,
    ledgers,
    isSwitching,
    today,
  }: { payer: Payer; ledgers: Ledger[]; isSwitching: boolean; today: string },
): Pick<PaymentParams, 'switchingFromCcToAch' | 'testMode' | 'webhookData'> {
  const paid = ledgers.filter(({ id }) => lines.some(({ ledgerId }) => ledgerId === id));
  return {
    switchingFromCcToAch: isSwitching,
    testMode: false,
    ...(method.ach && {
      webhookData: {
        formType: formTypes.achPayment,
        ledgerId: lines[0]?.ledgerId,
        unitName: paid
          .map(({ unitName }) => unitName)
          .join(', ')
          .slice(0, MOST_COPIED),
        date: today,
        firstName: payer.firstName,
        lastName: payer.lastName,
        amount: sumDollars(lines.map(({ amount }) => amount)),
      },
    }),
  };
}

/**
 * The parts of autopayUpdateParams that the specification has besides the method; they decide
 * nothing either.
 */
export function autopayNotice(
  unitName: string | undefined,
  isSwitching: boolean,
  payer: Payer,
): Pick<AutopayUpdateParams, 'switchingFromCcToAch' | 'webhookData'> {
  return {
    switchingFromCcToAch: isSwitching,
    ...(isSwitching && { webhookData: { formType: formTypes.cardToAch, unitName, ...payer } }),
  };
}

/** Whether a bank account takes the place of the card that autopay charges now. */
export function isSwitchingFromCcToAch(
  record: Autopay | undefined,
  method: PaymentMethodFields,
): boolean {
  return record?.active === true && record.type === 'creditCard' && method.ach !== undefined;
}

/**
 * One Idempotency-Key for all attempts to save the same method for a rental, until their final
 * answer. Of a new card or account it keeps what the server identifies requests by, never its
 * number or security code.
 */
export function createUpdateKeys(newKey: () => string) {
  const open = new Map<string, { shown: string; key: string }>();
  return {
    keyOf: (ledgerId: string, method: PaymentMethodFields): string => {
      const shown = shownOf(method);
      const before = open.get(ledgerId);
      if (before?.shown === shown) return before.key;
      const key = newKey();
      open.set(ledgerId, { shown, key });
      return key;
    },
    /** The answer was final: what is saved next is a request of its own. */
    renew: (ledgerId: string) => void open.delete(ledgerId),
  };
}

const numbers = ['cardNumber', 'accountNumber', 'routingNumber'];

function shownOf({ creditCard, ach }: PaymentMethodFields): string {
  const shown = Object.entries(creditCard ?? ach ?? {})
    .filter(([name]) => name !== 'cardCvv')
    .map(([name, value]) => [name, numbers.includes(name) ? String(value).slice(-4) : value]);
  return JSON.stringify([ach ? 'ach' : 'creditCard', shown]);
}
