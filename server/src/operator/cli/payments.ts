import {
  mailReceipt,
  recordPayment,
  refundPayment,
  reversePayment,
} from '@gatehouse/contract/counter-payments';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { allowAccount } from '@gatehouse/contract/staff-autopay';
import { Command, Option } from 'commander';
import { COMMAND } from '#config/command.ts';
import { allowAccountFor } from '#features/autopay/allow-account.ts';
import { mailReceiptOf } from '#features/counter/mail-receipt.ts';
import { recordPaymentFor } from '#features/counter/record-payment.ts';
import { refundPaymentOf } from '#features/counter/refund-payment.ts';
import { reversePaymentOf } from '#features/counter/reverse-payment.ts';
import { returnReason } from '#features/payments/return-codes.ts';
import { checkGateway } from './gateway.ts';
import type { Runner } from './runner.ts';
import { addStaffCommand, balancesOf, dollarAmount, recordId, recordIds } from './staff-command.ts';

type RecordOptions = {
  ledger: string[];
  cash?: boolean;
  check?: string;
  moneyOrder?: string;
  amount: number;
  prepay?: boolean;
};
type RefundOptions = { amount?: number; cash?: boolean; check?: string };
type ReverseOptions = { nsf?: boolean; chargeback?: boolean; mistake?: boolean };

/**
 * `payments record|refund|reverse|mail-receipt|allow-account`: what is paid at the counter, what
 * goes back, and receipts.
 */
export function paymentsCommand(run: Runner): Command {
  const payments = new Command('payments').description('Counter payments, refunds and reversals.');
  addStaffCommand<typeof recordPayment, RecordOptions>(payments, run, {
    verb: recordPayment,
    name: 'record',
    declare: (command) =>
      command
        .requiredOption(
          '--ledger <id...>',
          'the rentals, by their ids; the first is paid first',
          recordIds,
        )
        .addOption(new Option('--cash', 'paid in cash').conflicts(['check', 'moneyOrder']))
        .addOption(
          new Option('--check <number>', 'paid by the check of this number').conflicts(
            'moneyOrder',
          ),
        )
        .option('--money-order <number>', 'paid by the money order of this number')
        .requiredOption('--amount <dollars>', 'how much, such as 214.50', dollarAmount)
        .option('--prepay', 'keep the amount above the balance as a credit on the first rental'),
    bodyOf: ({ ledger, cash, check, moneyOrder, amount, prepay }) => ({
      ledgerIds: ledger,
      type: cash
        ? 'cash'
        : check !== undefined
          ? 'check'
          : moneyOrder !== undefined
            ? 'moneyOrder'
            : undefined,
      number: check ?? moneyOrder,
      amount,
      isPrepaid: prepay,
    }),
    work: recordPaymentFor,
    print: ({ receiptNumber, ledgers }, isPreview) => [
      isPreview
        ? `The payment would be recorded; ${balancesOf(ledgers)}.`
        : `The payment is recorded, receipt ${receiptNumber ?? ''}; ${balancesOf(ledgers)}.`,
    ],
    help: `  ${COMMAND} payments record --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 --cash --amount 214.50 --by Ana
  ${COMMAND} payments record --ledger 3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49 5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a --check 1042 --amount 500 --prepay --dry-run`,
  });

  addStaffCommand<typeof refundPayment, RefundOptions>(payments, run, {
    verb: refundPayment,
    name: 'refund',
    declare: (command) =>
      command
        .argument('<receipt>', 'the receipt number of the payment or of one rental’s part')
        .option(
          '--amount <dollars>',
          'how much, such as 50 (default: all that is left)',
          dollarAmount,
        )
        .addOption(new Option('--cash', 'given back in cash').conflicts('check'))
        .option('--check <number>', 'refunded by the check of this number'),
    bodyOf: ({ amount, cash, check }, receiptNumber) => ({
      receiptNumber,
      amount,
      way: cash ? 'cash' : check !== undefined ? 'check' : undefined,
      number: check,
    }),
    async work(ctx, call, body) {
      await checkGateway(ctx);
      return refundPaymentOf(ctx, call, body);
    },
    print: ({ amount, way, status, receiptNumber, reopened, ledgers }, isPreview) => [
      status === 'submitted'
        ? `The gateway has not answered yet: the refund ${receiptNumber ?? ''} of ${formatMoney(amount)} is asked for again until it does.`
        : `${formatMoney(amount)} ${isPreview ? 'would be' : 'is'} refunded ${ways[way]}; ${balancesOf(ledgers)}.`,
      ...reopened.map(
        ({ ledgerId, description, dueOn, amount: owed }) =>
          `  owed again: ${formatMoney(owed)} of ${description}, due ${formatDate(dueOn)}, unit ${
            ledgers.find((ledger) => ledger.ledgerId === ledgerId)?.unitName ?? ''
          }`,
      ),
    ],
    help: `  ${COMMAND} payments refund 1000042 --by Ana --why "left early" --dry-run
  ${COMMAND} payments refund 1000042-2 --amount 50 --check 2001 --by Ana`,
  });

  addStaffCommand<typeof reversePayment, ReverseOptions>(payments, run, {
    verb: reversePayment,
    name: 'reverse',
    declare: (command) =>
      command
        .argument(
          '<receipt>',
          'the receipt number of the payment or, for a mistake, of one rental’s part',
        )
        .addOption(
          new Option('--nsf', 'the check bounced; the facility’s fee is charged').conflicts([
            'chargeback',
            'mistake',
          ]),
        )
        .addOption(
          new Option('--chargeback', 'the card’s issuer took the payment back').conflicts(
            'mistake',
          ),
        )
        .option(
          '--mistake',
          'it should not have been recorded, or the gateway will not collect the bank debit',
        ),
    bodyOf: ({ nsf, chargeback, mistake }, receiptNumber) => ({
      receiptNumber,
      reason: nsf ? 'nsf' : chargeback ? 'chargeback' : mistake ? 'mistake' : undefined,
    }),
    async work(ctx, call, body) {
      await checkGateway(ctx);
      return reversePaymentOf(ctx, call, body);
    },
    print: ({ amount, fee, ledgers }, isPreview) => [
      `${formatMoney(amount)} ${isPreview ? 'would be' : 'is'} taken back` +
        `${fee > 0 ? `, and a fee of ${formatMoney(fee)} charged` : ''}; ${balancesOf(ledgers)}.`,
    ],
    help: `  ${COMMAND} payments reverse 1000042 --nsf --by Ana
  ${COMMAND} payments reverse 1000042-2 --mistake --why "wrong unit" --dry-run`,
  });

  addStaffCommand<typeof mailReceipt, object>(payments, run, {
    verb: mailReceipt,
    name: 'mail-receipt',
    declare: (command) =>
      command.argument('<receipt>', 'the receipt number of the payment or of one rental’s part'),
    bodyOf: (_, receiptNumber) => ({ receiptNumber }),
    work: mailReceiptOf,
    print: ({ receiptNumber, to }, isPreview) => [
      `Receipt ${receiptNumber} ${isPreview ? 'would be' : 'is'} mailed to ${to}.`,
    ],
    help: `  ${COMMAND} payments mail-receipt 1000042 --by Ana`,
  });

  addStaffCommand<typeof allowAccount, { tenant: string; method: string }>(payments, run, {
    verb: allowAccount,
    name: 'allow-account',
    declare: (command) =>
      command
        .requiredOption('--tenant <id>', 'the tenant record, by its id', recordId)
        .requiredOption(
          '--method <id>',
          'the saved bank account, by the id that tenants show prints',
          recordId,
        ),
    bodyOf: ({ tenant, method }) => ({ tenantId: tenant, methodId: method }),
    work: allowAccountFor,
    print: ({ description, returnCode }, isPreview) => [
      `${description} ${isPreview ? 'would be' : 'is'} allowed for autopay again` +
        `${returnCode === null ? '' : `; it was stopped because ${returnReason(returnCode)} (${returnCode})`}. Its tenant sets autopay up anew.`,
    ],
    help: `  ${COMMAND} payments allow-account --tenant 0d9f2c5e-6a1b-4c3d-8e7f-1a2b3c4d5e6f --method 7b0a4c5e-2f57-4f0e-8d6e-6a1f0c1b2d3e --by Ana --why "released by the bank"`,
  });
  return payments;
}

const ways = { gateway: 'through the gateway', cash: 'in cash', check: 'by check' };
