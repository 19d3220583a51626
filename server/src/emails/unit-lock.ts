import { t } from '@gatehouse/language/t';
import { callAction, howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/**
 * Notifies a tenant that staff have locked a unit by hand, or have taken that lock off.
 * `gateAdvice` is there where the gate then waits for a bank payment to settle.
 */
export function unitLockEmail(
  lock: FacilityContact & {
    firstName: string;
    unitName: string;
    isOverlocked: boolean;
    gateAdvice: string | null;
  },
): Email {
  const { firstName, name, unitName, isOverlocked, gateAdvice } = lock;
  const code = t('The portal shows your gate code, unless what is owed keeps the gate shut.');
  return {
    subject: isOverlocked
      ? t('Unit {unitName} at {name} is locked', { unitName, name })
      : t('Unit {unitName} at {name} is no longer locked', { unitName, name }),
    blocks: [
      hello(firstName),
      paragraph(
        isOverlocked
          ? t('{name} has locked unit {unitName}. To resolve it, {ask}.', {
              name,
              unitName,
              ask: howToAsk(lock),
            })
          : `${t('{name} has taken its lock off unit {unitName}.', { name, unitName })} ${gateAdvice ?? code}`,
      ),
      isOverlocked ? callAction(lock.phone) : action(t('See your gate code'), '/'),
    ],
  };
}
