import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { TakenBackReason } from '#db/tables.ts';
import type { Block, Paper, Row } from './paper.ts';
import { facilityLines, type Letterhead } from './letterhead.ts';

/** A charge that a payment settled, wholly or in part, in cents. */
export type SettledCharge = {
  description: string;
  dueOn: string;
  priceCents: number;
  discountCents: number;
  tax1Cents: number;
  tax2Cents: number;
  paidCents: number;
};

/** What was taken back of a payment. */
export type TakenBack = {
  postedOn: string;
  cents: number;
  reason: TakenBackReason;
  description: string;
};

/** One payment to one rental, as the books have it; all sums in cents. */
export type Receipt = Letterhead & {
  number: string;
  postedOn: string;
  createdAt: Date;
  tenant: { name: string; lines: string[] };
  unitName: string;
  method: string;
  isAutopay: boolean;
  /** A bank debit that is not settled yet. */
  isPending: boolean;
  amountCents: number;
  charges: SettledCharge[];
  takenBack: TakenBack[];
  /** What the rental owed before and after this payment was posted; below 0 is a credit. */
  owedBeforeCents: number;
  owedAfterCents: number;
  /** Of a payment for several rentals at once: what was taken in all. */
  wholeCents: number;
};

/** A receipt: what was paid for which charges, with their discounts and taxes. */
export function receiptPaper(receipt: Receipt): Paper {
  const { number, postedOn, tenant, amountCents, wholeCents } = receipt;
  const paidCents = receipt.charges.reduce((cents, charge) => cents + charge.paidCents, 0);
  const ahead = amountCents - paidCents;
  const method = entryName(receipt.method);
  return {
    issuer: receipt.issuer,
    title: t('Receipt {number}', { number }),
    at: receipt.createdAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: t('Paid by'), lines: [tenant.name, ...tenant.lines] },
          { title: t('Facility'), lines: facilityLines(receipt) },
        ],
      },
      ...notices(receipt),
      {
        kind: 'facts',
        facts: [
          [t('Date'), formatDate(postedOn)],
          [t('Unit'), receipt.unitName],
          [t('Paid with'), receipt.isAutopay ? t('{method} (autopay)', { method }) : method],
          [t('Amount'), money(amountCents)],
          ...(wholeCents === amountCents
            ? []
            : [
                [
                  t('Part of'),
                  t('one payment of {sum} for several units', { sum: money(wholeCents) }),
                ] as [string, string],
              ]),
        ],
      },
      { kind: 'heading', text: t('What this payment paid') },
      {
        kind: 'rows',
        head: [t('Charge'), t('Charged'), t('Paid')],
        rows: [
          ...receipt.charges.flatMap(rowsOfCharge),
          ...(ahead > 0 ? [{ cells: [t('Credit on your account'), null, { cents: ahead }] }] : []),
          { cells: [t('Total paid'), null, { cents: amountCents }], look: 'strong' as const },
        ],
      },
      {
        kind: 'facts',
        facts: [
          [t('Owed before'), money(receipt.owedBeforeCents)],
          [t('Owed after'), money(receipt.owedAfterCents)],
        ],
      },
    ],
  };
}

function notices({ isPending, takenBack, amountCents }: Receipt): Block[] {
  const pending = t(
    'This bank payment is pending. It counts as paid now; your bank may still return it.',
  );
  return [
    ...(isPending ? [{ kind: 'notice' as const, text: pending }] : []),
    ...takenBack.map((back): Block => ({
      kind: 'notice',
      text: back.cents === amountCents ? wholeTakenBack(back) : partTakenBack(back),
    })),
  ];
}

function wholeTakenBack(back: TakenBack): string {
  const { postedOn, reason, description } = back;
  const values = { day: formatDate(postedOn), entry: entryName(description) };
  switch (reason) {
    case 'return':
    case 'nsf':
      return t('This payment was returned by the bank on {day}: {entry}.', values);
    case 'refund':
      return t('This payment was refunded on {day}: {entry}.', values);
    case 'correction':
    case 'mistake':
      return t('This payment was taken back on {day}: {entry}.', values);
    case 'chargeback':
      return t('This payment was disputed with the card issuer on {day}: {entry}.', values);
    case 'lost':
      return t(
        'This payment was disputed with the card issuer on {day}, and the dispute was decided for you.',
        values,
      );
    case 'won':
      return countsAgain(back);
    case 'moved':
      return t('This payment was moved to another unit on {day}: {entry}.', values);
  }
}

function partTakenBack(back: TakenBack): string {
  const { postedOn, cents, reason, description } = back;
  const values = {
    sum: money(cents),
    day: formatDate(postedOn),
    entry: entryName(description),
  };
  switch (reason) {
    case 'return':
    case 'nsf':
      return t('{sum} of this payment was returned by the bank on {day}: {entry}.', values);
    case 'refund':
      return t('{sum} of this payment was refunded on {day}: {entry}.', values);
    case 'correction':
    case 'mistake':
      return t('{sum} of this payment was taken back on {day}: {entry}.', values);
    case 'chargeback':
      return t(
        '{sum} of this payment was disputed with the card issuer on {day}: {entry}.',
        values,
      );
    case 'lost':
      return t(
        '{sum} of this payment was disputed with the card issuer on {day}, and the dispute was decided for you.',
        values,
      );
    case 'won':
      return countsAgain(back);
    case 'moved':
      return t('{sum} of this payment was moved to another unit on {day}: {entry}.', values);
  }
}

function countsAgain({ postedOn, cents }: TakenBack): string {
  return t('The dispute was decided for the facility on {day}: {sum} counts again.', {
    day: formatDate(postedOn),
    sum: money(-cents),
  });
}

/** A charge of one sum is one row; a discount and each tax have rows of their own under it. */
function rowsOfCharge(charge: SettledCharge): Row[] {
  const { priceCents, discountCents, tax1Cents, tax2Cents } = charge;
  const parts: [string, number][] = [
    [t('Discount'), -discountCents],
    [t('Tax 1'), tax1Cents],
    [t('Tax 2'), tax2Cents],
  ];
  const present = parts.filter(([, cents]) => cents !== 0);
  const chargedCents = priceCents - discountCents + tax1Cents + tax2Cents;
  const whole: Row = {
    cells: [entryName(charge.description), { cents: chargedCents }, { cents: charge.paidCents }],
  };
  if (present.length === 0) return [whole];
  return [
    whole,
    ...[[t('Price'), priceCents] as [string, number], ...present].map(([name, cents]): Row => ({
      cells: [name, { cents }, null],
      look: 'part',
    })),
  ];
}

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
