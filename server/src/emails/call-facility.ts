import { formatPhone } from '@gatehouse/contract/phone';

/** The facility's name and phone for a mail about an account. */
export type FacilityContact = { name: string; phone: string | null };

/** How the tenant reaches the facility: the middle of a sentence. */
export function howToAsk({ phone }: FacilityContact): string {
  return phone === null
    ? 'please contact the facility'
    : `please call the facility at ${formatPhone(phone)}`;
}
