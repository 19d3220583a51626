import type { Reply } from '@gatehouse/contract/endpoint';
import { drawerTypes } from '@gatehouse/contract/drawers';
import type { getDepositDay, getDeposits } from '@gatehouse/contract/office/reports';
import { depositTypes } from '@gatehouse/contract/reports';

/** Who took a payment. */
export const vias = {
  gateway: 'Gateway',
  counter: 'Counter',
  import: 'Before the import',
  dispute: 'Won dispute',
};

/** Why money went back; in a code that this version does not know, as the code. */
export function backWords(reason: string): string {
  return backReasons[reason] ?? reason;
}

const backReasons: Record<string, string> = {
  refund: 'Refund',
  return: 'Returned by the bank',
  nsf: 'Bounced check',
  chargeback: 'Chargeback',
  mistake: 'Recorded by mistake',
  correction: 'Corrected by an import',
};

type Day = Pick<Reply<typeof getDeposits>, 'facilities'> & {
  day: Pick<Reply<typeof getDepositDay>, 'drawers'>;
};

/** The titles of the columns of `depositRows`. */
export const depositColumns = {
  locationCode: 'Facility',
  part: 'Part',
  type: 'Type',
  by: 'By',
  payout: 'Payout',
  count: 'Count',
  taken: 'Taken',
  back: 'Given back',
  mistaken: 'Recorded by mistake',
  expected: 'Expected',
  counted: 'Counted',
  difference: 'Over or short',
};
type Row = { [Column in keyof typeof depositColumns]?: string | number | null };

/** A day as rows of a file: the lines of each drawer, then what was posted. */
export function depositRows({ facilities, day }: Day): Row[] {
  return [
    ...day.drawers.flatMap(({ locationCode, lines }) =>
      lines.map(({ type, ...sums }) => ({
        locationCode,
        part: 'Drawer',
        type: drawerTypes[type],
        ...sums,
      })),
    ),
    ...facilities.flatMap(({ locationCode, takings, takenBack }) => [
      ...takings.map(({ type, via, payout, count, amount }) => ({
        locationCode,
        part: 'Taken',
        type: depositTypes[type],
        by: vias[via],
        payout: payout?.payoutId ?? null,
        count,
        taken: amount,
      })),
      ...takenBack.map(({ type, reason, count, amount }) => ({
        locationCode,
        part: 'Given back',
        type: depositTypes[type],
        by: backWords(reason),
        count,
        back: amount,
      })),
    ]),
  ];
}
