import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/**
 * Notifies a tenant that the gate code of a unit has changed. The code is not in it: a mail is read
 * on the way and kept for long.
 */
export function gateCodeChangedEmail(
  change: FacilityContact & { firstName: string; unitName: string },
): Email {
  const { firstName, name, unitName } = change;
  return {
    subject: t('The gate code of unit {unitName} at {name} has changed', { unitName, name }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          '{name} has changed the gate code of unit {unitName}. The old code no longer opens the gate. The portal shows the new one while the gate is open to you.',
          { name, unitName },
        ),
      ),
      action(t('See your gate code'), '/'),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(change) })),
    ],
  };
}
