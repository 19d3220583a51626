import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/** A rental that continues in another unit; `rateCents` where its rent is another one then. */
export type UnitTransfer = FacilityContact & {
  firstName: string;
  fromUnit: string;
  toUnit: string;
  on: string;
  rateCents: number | null;
};

/** Notifies a tenant of a transfer to another unit. */
export function unitTransferEmail(transfer: UnitTransfer): Email {
  const { firstName, fromUnit, toUnit, on, rateCents, name } = transfer;
  return {
    subject: `Your unit at ${name} is ${toUnit} from ${formatDate(on)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `Your rental goes on in unit ${toUnit} from ${formatDate(on)}, and no longer in unit ${fromUnit}. Your gate code, balance and autopay stay as they are.${
          rateCents === null
            ? ''
            : ` The rent is ${formatMoney(toDollars(rateCents))} from the next bill after that day.`
        }`,
      },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(transfer)}.` },
    ],
  };
}
