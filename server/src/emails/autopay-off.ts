import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import { howToCall } from './call-facility.ts';
import { hello, paragraph, type Email } from './email.ts';
import { openBilling } from './owed.ts';
import { namesOfUnits } from './units.ts';

/**
 * Autopay was switched off: by the tenant, or by us, because the bank returned a payment (`because`
 * says why) or a card payment was disputed.
 */
export type AutopayOff = {
  firstName: string;
  unitNames: string[];
  facilityName: string;
  facilityPhone: string | null;
} & ({ reason: 'switchedOff' } | { reason: 'disputed' } | { reason: 'returned'; because: string });

/** Notifies the address on file that autopay is off. */
export function autopayOffEmail(off: AutopayOff): Email {
  const units = namesOfUnits(off.unitNames);
  const call = howToCall(off.facilityPhone);
  return {
    subject: t('Autopay is off for {units}', { units }),
    blocks: [
      hello(off.firstName),
      paragraph(whatHappened(off, units)),
      paragraph(t('What is owed, and what becomes due, is yours to pay in the portal.')),
      openBilling(),
      paragraph(
        off.reason === 'switchedOff'
          ? t('If you did not switch it off, {call}.', { call })
          : t(
              'You can set up autopay again with another card or account under Billing Info. If you have a question, {call}.',
              { call },
            ),
      ),
    ],
  };
}

function whatHappened(off: AutopayOff, units: string): string {
  const { facilityName } = off;
  if (off.reason === 'switchedOff')
    return t(
      'Autopay was switched off for {units} at {facilityName}. Nothing is charged automatically any more.',
      { units, facilityName },
    );
  const why =
    off.reason === 'disputed'
      ? t('A payment by the card was disputed with its issuer.')
      : t('The bank returned a payment: {reason}.', { reason: entryName(off.because) });
  const then = t(
    'Autopay is off for {units} at {facilityName}, and nothing is charged automatically any more.',
    { units, facilityName },
  );
  return `${why} ${then}`;
}
