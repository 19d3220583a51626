import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { ReversalReason } from '#db/tables.ts';
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
  reason: ReversalReason;
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
  return {
    issuer: receipt.issuer,
    title: `Receipt ${number}`,
    at: receipt.createdAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: 'Paid by', lines: [tenant.name, ...tenant.lines] },
          { title: 'Facility', lines: facilityLines(receipt) },
        ],
      },
      ...notices(receipt),
      {
        kind: 'facts',
        facts: [
          ['Date', formatDate(postedOn)],
          ['Unit', receipt.unitName],
          ['Paid with', receipt.isAutopay ? `${receipt.method} (autopay)` : receipt.method],
          ['Amount', money(amountCents)],
          ...(wholeCents === amountCents
            ? []
            : [
                ['Part of', `one payment of ${money(wholeCents)} for several units`] as [
                  string,
                  string,
                ],
              ]),
        ],
      },
      { kind: 'heading', text: 'What this payment paid' },
      {
        kind: 'rows',
        head: ['Charge', 'Charged', 'Paid'],
        rows: [
          ...receipt.charges.flatMap(rowsOfCharge),
          ...(ahead > 0 ? [{ cells: ['Credit on your account', null, { cents: ahead }] }] : []),
          { cells: ['Total paid', null, { cents: amountCents }], look: 'strong' as const },
        ],
      },
      {
        kind: 'facts',
        facts: [
          ['Owed before', money(receipt.owedBeforeCents)],
          ['Owed after', money(receipt.owedAfterCents)],
        ],
      },
    ],
  };
}

function notices({ isPending, takenBack, amountCents }: Receipt): Block[] {
  const pending =
    'This bank payment is pending. It counts as paid now; your bank may still return it.';
  return [
    ...(isPending ? [{ kind: 'notice' as const, text: pending }] : []),
    ...takenBack.map(({ postedOn, cents, reason, description }): Block => {
      const what = cents === amountCents ? 'This payment' : `${money(cents)} of this payment`;
      const word = takenBackWords[reason];
      return {
        kind: 'notice',
        text: `${what} ${word} on ${formatDate(postedOn)}: ${description}.`,
      };
    }),
  ];
}

/** A charge of one sum is one row; a discount and each tax have rows of their own under it. */
function rowsOfCharge(charge: SettledCharge): Row[] {
  const { priceCents, discountCents, tax1Cents, tax2Cents } = charge;
  const parts: [string, number][] = [
    ['Discount', -discountCents],
    ['Tax 1', tax1Cents],
    ['Tax 2', tax2Cents],
  ];
  const present = parts.filter(([, cents]) => cents !== 0);
  const chargedCents = priceCents - discountCents + tax1Cents + tax2Cents;
  const whole: Row = {
    cells: [charge.description, { cents: chargedCents }, { cents: charge.paidCents }],
  };
  if (present.length === 0) return [whole];
  return [
    whole,
    ...[['Price', priceCents] as [string, number], ...present].map(([name, cents]): Row => ({
      cells: [name, { cents }, null],
      look: 'part',
    })),
  ];
}

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}

const takenBackWords: Record<ReversalReason, string> = {
  return: 'was returned by the bank',
  refund: 'was refunded',
  correction: 'was taken back',
  nsf: 'was returned by the bank',
  chargeback: 'was disputed with the card issuer',
  mistake: 'was taken back',
  moved: 'was moved to another unit',
};
