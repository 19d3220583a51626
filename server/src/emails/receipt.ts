import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { Block, Email } from './email.ts';

/** What was paid for one rental. */
type ReceiptOfRental = {
  unitName: string;
  number: string;
  cents: number;
  /** That the gate waits for the payment to settle, in a sentence; null where it does not. */
  gateAdvice: string | null;
};

type PaymentFacts = {
  firstName: string;
  facilityName: string;
  postedOn: string;
  method: string;
  isPending: boolean;
  isAutopay: boolean;
  /** What of it was refunded or taken back before the mail was written. */
  takenBackCents: number;
  /** At least one. */
  receipts: ReceiptOfRental[];
};

/** Notifies the tenant of a posted payment; the receipt of each rental is attached as a PDF. */
export function receiptEmail(payment: PaymentFacts): Email {
  const { firstName, facilityName, postedOn, method, receipts } = payment;
  const { isPending, isAutopay, takenBackCents } = payment;
  const begun = isAutopay ? 'Your autopay payment' : 'Your payment';
  const attached = receipts.length === 1 ? 'Your receipt is' : 'Your receipts are';
  const common: Block = {
    kind: 'facts',
    facts: [
      ['Date', formatDate(postedOn)],
      ...(receipts.length === 1
        ? []
        : [['Total', money(receipts.reduce((sum, { cents }) => sum + cents, 0))] as Fact]),
      ['Paid with', method],
    ],
  };
  return {
    subject: subjectOf(receipts),
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph(`${begun} at ${facilityName} was received. ${attached} attached.`),
      ...receipts.map(factsOf),
      common,
      ...(isPending
        ? [
            paragraph(
              'This bank payment is pending. It counts as paid now; your bank may still return it.',
            ),
          ]
        : []),
      ...(takenBackCents > 0
        ? [
            paragraph(
              `Of this payment ${money(takenBackCents)} was refunded or taken back later; see the receipt.`,
            ),
          ]
        : []),
      ...receipts.flatMap(({ gateAdvice }) => (gateAdvice === null ? [] : [paragraph(gateAdvice)])),
    ],
  };
}

type Fact = [label: string, value: string];

function subjectOf(receipts: ReceiptOfRental[]): string {
  const [{ number, unitName } = { number: '', unitName: '' }, ...more] = receipts;
  if (more.length === 0) return `Receipt ${number} for unit ${unitName}`;
  return `Receipts for units ${list.format(receipts.map((receipt) => receipt.unitName))}`;
}

function factsOf({ unitName, number, cents }: ReceiptOfRental): Block {
  return {
    kind: 'facts',
    facts: [
      ['Unit', unitName],
      ['Receipt number', number],
      ['Amount', money(cents)],
    ],
  };
}

function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}

const list = new Intl.ListFormat('en-US');
