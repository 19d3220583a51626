import { formatPhone } from '@gatehouse/contract/phone';
import { type StateCode, stateNames } from '@gatehouse/contract/states';
import type { Tenant } from '@gatehouse/contract/tenants';

/** What the contact update form starts with: the record, as the form has it. */
export function contactOf({ firstName, lastName, phone, email, address }: Tenant) {
  return {
    firstName,
    lastName,
    phone: formatPhone(phone.primary ?? ''),
    emailAddress: email,
    address1: address.street1,
    address2: address.street2 ?? '',
    city: address.city,
    state: stateCodeOf(address.region),
    postal: address.postalCode,
  };
}

/** The state that the select can show; a region that is none of them is to be chosen. */
function stateCodeOf(region: string): StateCode | undefined {
  return region in stateNames ? (region as StateCode) : undefined;
}
