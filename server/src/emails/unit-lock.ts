import { settlementAdvice } from '@gatehouse/contract/gate-access';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/**
 * Notifies a tenant that staff have locked a unit by hand, or have taken that lock off.
 * `gateOpensOn` is there where the gate then waits for a bank payment to settle.
 */
export function unitLockEmail(
  lock: FacilityContact & {
    firstName: string;
    unitName: string;
    isOverlocked: boolean;
    gateOpensOn: string | null;
  },
): Email {
  const { firstName, name, unitName, isOverlocked, gateOpensOn } = lock;
  const code =
    gateOpensOn === null
      ? t('The portal shows your gate code, unless something is owed.')
      : settlementAdvice(gateOpensOn);
  return {
    subject: isOverlocked
      ? t('Unit {unitName} at {name} is locked', { unitName, name })
      : t('Unit {unitName} at {name} is no longer locked', { unitName, name }),
    blocks: [
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: isOverlocked
          ? t('{name} has locked unit {unitName}. To resolve it, {ask}.', {
              name,
              unitName,
              ask: howToAsk(lock),
            })
          : `${t('{name} has taken its lock off unit {unitName}.', { name, unitName })} ${code}`,
      },
    ],
  };
}
