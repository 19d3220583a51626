import type { Autopay, AutopayUpdateParams } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { toCents, toDollars } from '@gatehouse/contract/money';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import type { PaymentParams } from '@gatehouse/contract/payments';
import { formTypes } from '@gatehouse/contract/requests';

/** Who pays, as the notices to the facility name them. */
export type Payer = { firstName?: string | undefined; lastName?: string | undefined };

/**
 * The parts of paymentParams that spec section 7 has beside lines and method. They decide nothing: the server goes by
 * its own records (safety finding 1). `today` is the facility's.
 */
export function paymentNotice(
  lines: PaymentParams['payments'],
  method: PaymentMethodFields,
  { payer, ledgers, isSwitching, today }: { payer: Payer; ledgers: Ledger[]; isSwitching: boolean; today: string },
): Pick<PaymentParams, 'switchingFromCcToAch' | 'testMode' | 'webhookData'> {
  const paid = ledgers.filter(({ id }) => lines.some(({ ledgerId }) => ledgerId === id));
  return {
    switchingFromCcToAch: isSwitching,
    testMode: false,
    ...(method.ach && {
      webhookData: {
        formType: formTypes.achPayment,
        ledgerId: lines[0]?.ledgerId,
        unitName: paid.map(({ unitName }) => unitName).join(', '),
        date: today,
        firstName: payer.firstName,
        lastName: payer.lastName,
        amount: toDollars(lines.reduce((cents, { amount }) => cents + toCents(amount), 0)),
      },
    }),
  };
}

/** The parts of autopayUpdateParams that spec section 7 has beside the method; they decide nothing either. */
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
export function isSwitchingFromCcToAch(record: Autopay | undefined, method: PaymentMethodFields): boolean {
  return record?.active === true && record.type === 'creditCard' && method.ach !== undefined;
}
