import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, money, paragraph, type Email } from './email.ts';

/**
 * A rental that continues in another unit, or was to; `rate` where its rent is another one then.
 */
export type UnitTransfer = FacilityContact & {
  firstName: string;
  fromUnit: string;
  toUnit: string;
  on: string;
  rate: { cents: number; on: string } | null;
  isCancelled?: boolean;
};

/** Notifies a tenant of a transfer to another unit, or that it was cancelled. */
export function unitTransferEmail(transfer: UnitTransfer): Email {
  const { firstName, fromUnit, toUnit, on, rate, name, isCancelled = false } = transfer;
  const day = formatDate(on);
  if (isCancelled)
    return {
      subject: t('You stay in unit {fromUnit} at {name}', { fromUnit, name }),
      blocks: [
        hello(firstName),
        paragraph(
          t(
            'The move to unit {toUnit} on {day} is cancelled. Your rental stays in unit {fromUnit}.',
            { toUnit, day, fromUnit },
          ),
        ),
        action(t('See your units'), '/'),
        paragraph(t('If you have questions, {ask}.', { ask: howToAsk(transfer) })),
      ],
    };
  return {
    subject: t('Your unit at {name} is {toUnit} from {day}', { name, toUnit, day }),
    blocks: [
      hello(firstName),
      paragraph(
        [
          t(
            'From {day} your rental is in unit {toUnit}, and no longer in unit {fromUnit}. Your gate code, balance and autopay stay as they are.',
            { day, toUnit, fromUnit },
          ),
          ...(rate === null
            ? []
            : [
                t('The rent is {sum} from the first bill on or after {day}.', {
                  sum: money(rate.cents),
                  day: formatDate(rate.on),
                }),
              ]),
        ].join(' '),
      ),
      action(t('See your units'), '/'),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(transfer) })),
    ],
  };
}
