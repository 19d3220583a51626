import { formatPhone } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import { action, type Block } from './email.ts';

/** The facility's name and phone for a mail about an account. */
export type FacilityContact = { name: string; phone: string | null };

/** How the tenant reaches the facility: the middle of a sentence. */
export function howToAsk({ phone }: FacilityContact): string {
  return phone === null
    ? t('please contact the facility')
    : t('please call the facility at {phone}', { phone: formatPhone(phone) });
}

/** The same in the words of mails that speak of the tenant's own facility. */
export function howToCall(phone: string | null): string {
  return phone === null
    ? t('please call your facility')
    : t('please call your facility at {phone}', { phone: formatPhone(phone) });
}

/** The last sentences of a mail: whom to call. */
export function questions(phone: string | null): string {
  return phone === null
    ? t('Questions? Please call your facility.')
    : t('Questions? Please call your facility at {phone}.', { phone: formatPhone(phone) });
}

/** The button that calls the facility; to the portal where it has no phone. */
export function callAction(phone: string | null): Block {
  return phone === null
    ? action(t('Open the portal'), '/')
    : action(t('Call {phone}', { phone: formatPhone(phone) }), `tel:+1${phone}`);
}
