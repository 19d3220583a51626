import { formatPhone } from '@gatehouse/contract/phone';

/** Who gives a paper out: the operator's name and the facility. */
export type Letterhead = {
  issuer: string;
  facility: {
    name: string;
    phone: string | null;
    street1: string;
    street2: string | null;
    city: string;
    region: string;
    postalCode: string;
  };
};

/** The facility with its address and phone number, a line each. */
export function facilityLines({ facility }: Letterhead): string[] {
  const { name, phone } = facility;
  return [name, ...addressLines(facility), ...(phone === null ? [] : [formatPhone(phone)])];
}

/** An address as it is on a letter. */
export function addressLines(address: Omit<Letterhead['facility'], 'name' | 'phone'>): string[] {
  const { street1, street2, city, region, postalCode } = address;
  return [street1, street2, `${city}, ${region} ${postalCode}`].filter(
    (line) => line !== null && line !== '',
  ) as string[];
}
