import { getFacility } from '@gatehouse/contract/facilities';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import { call, CORPORATION_CODE } from '#api/call.ts';
import { getSession } from '#session/session.ts';
import { buttonClass } from '#ui/button.tsx';
import { Icon } from '#ui/icons.tsx';

/**
 * The phone of the facility that this device is signed in at, null where it is not or the phone
 * cannot be read: a dead link says nothing of its own facility.
 */
export async function readPhone(): Promise<string | null> {
  const session = getSession();
  if (session === null) return null;
  const { locationCode } = session;
  const params = { corp: CORPORATION_CODE, locationCode };
  return call(getFacility, { params }).then(
    ({ phone }) => phone,
    () => null,
  );
}

/** Calls the facility; nothing where it has no phone. */
export function CallFacility({ phone }: { phone: string | null }) {
  if (phone === null) return null;
  return (
    <a href={phoneHref(phone)} className={buttonClass('secondary')}>
      <Icon name="phone" />
      <span className="whitespace-nowrap">{t('Call {phone}', { phone: formatPhone(phone) })}</span>
    </a>
  );
}
