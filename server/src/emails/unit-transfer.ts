import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/**
 * A rental that continues in another unit, or was to; `rateCents` where its rent is another one
 * then.
 */
export type UnitTransfer = FacilityContact & {
  firstName: string;
  fromUnit: string;
  toUnit: string;
  on: string;
  rateCents: number | null;
  isCancelled?: boolean;
};

/** Notifies a tenant of a transfer to another unit, or that it was cancelled. */
export function unitTransferEmail(transfer: UnitTransfer): Email {
  const { firstName, fromUnit, toUnit, on, rateCents, name, isCancelled = false } = transfer;
  if (isCancelled)
    return {
      subject: `You stay in unit ${fromUnit} at ${name}`,
      blocks: [
        { kind: 'paragraph', text: `Hello ${firstName},` },
        {
          kind: 'paragraph',
          text: `The move to unit ${toUnit} on ${formatDate(on)} is cancelled. Your rental stays in unit ${fromUnit}.`,
        },
        { kind: 'paragraph', text: `If you have questions, ${howToAsk(transfer)}.` },
      ],
    };
  return {
    subject: `Your unit at ${name} is ${toUnit} from ${formatDate(on)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `From ${formatDate(on)} your rental is in unit ${toUnit}, and no longer in unit ${fromUnit}. Your gate code, balance and autopay stay as they are.${
          rateCents === null
            ? ''
            : ` The rent is ${formatMoney(toDollars(rateCents))} from the first bill on or after that day.`
        }`,
      },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(transfer)}.` },
    ],
  };
}
