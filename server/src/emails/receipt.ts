import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { locale } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { facts, hello, money, paragraph, type Block, type Email, type Fact } from './email.ts';
import { seePayments } from './owed.ts';

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

/** A mail has as many receipts attached: it is drawn and sent within 20 seconds. */
export const MOST_RECEIPTS = 20;

/** Notifies the tenant of a posted payment; the PDFs of its first receipts are attached. */
export function receiptEmail(payment: PaymentFacts): Email {
  const { firstName, facilityName, postedOn, method, receipts } = payment;
  const { isPending, isAutopay, takenBackCents } = payment;
  const received = isAutopay
    ? t('Your autopay payment at {facilityName} was received.', { facilityName })
    : t('Your payment at {facilityName} was received.', { facilityName });
  const common: Block = facts([
    [t('Date'), formatDate(postedOn)],
    ...(receipts.length === 1
      ? []
      : [[t('Total'), money(receipts.reduce((sum, { cents }) => sum + cents, 0))] as Fact]),
    [t('Paid with'), entryName(method)],
  ]);
  return {
    subject: subjectOf(receipts),
    blocks: [
      hello(firstName),
      paragraph(`${received} ${attachedTo(receipts)}`),
      ...receipts.map(factsOf),
      common,
      ...(isPending
        ? [
            paragraph(
              t(
                'This bank payment is pending. It counts as paid now; your bank may still return it.',
              ),
            ),
          ]
        : []),
      ...(takenBackCents > 0
        ? [
            paragraph(
              t('Of this payment {sum} was refunded or taken back later; see the receipt.', {
                sum: money(takenBackCents),
              }),
            ),
          ]
        : []),
      ...receipts.flatMap(({ gateAdvice }) => (gateAdvice === null ? [] : [paragraph(gateAdvice)])),
      seePayments(),
    ],
  };
}

function attachedTo(receipts: ReceiptOfRental[]): string {
  if (receipts.length === 1) return t('Your receipt is attached.');
  if (receipts.length <= MOST_RECEIPTS) return t('Your receipts are attached.');
  const first = t('The first {count} receipts are attached.', { count: MOST_RECEIPTS });
  return `${first} ${t('The receipts of the other rentals are in Payment History.')}`;
}

/** The subject names as many units, and counts more than that. */
const MOST_NAMED = 10;

function subjectOf(receipts: ReceiptOfRental[]): string {
  const [{ number, unitName } = { number: '', unitName: '' }, ...more] = receipts;
  if (more.length === 0) return t('Receipt {number} for unit {unitName}', { number, unitName });
  if (receipts.length > MOST_NAMED)
    return t('Receipts for {count} units', { count: receipts.length });
  const list = new Intl.ListFormat(locale());
  return t('Receipts for units {names}', {
    names: list.format(receipts.map((receipt) => receipt.unitName)),
  });
}

function factsOf({ unitName, number, cents }: ReceiptOfRental): Block {
  return facts([
    [t('Unit'), unitName],
    [t('Receipt number'), number],
    [t('Amount'), money(cents)],
  ]);
}
