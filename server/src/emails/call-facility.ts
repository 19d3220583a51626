import { formatPhone } from '@gatehouse/contract/phone';

/** A facility as a mail about an account names it. */
export type FacilityContact = { name: string; phone: string | null };

/** How its tenant reaches it: the middle of a sentence. */
export function howToAsk({ phone }: FacilityContact): string {
  return phone === null ? 'please contact the facility' : `please call the facility at ${formatPhone(phone)}`;
}
