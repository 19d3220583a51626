import type { Address } from '@gatehouse/contract/facilities';

/** A search on the map that any phone opens in its own app. */
export function directionsTo({ street1, city, region, postalCode }: Address): string {
  const place = `${street1}, ${city}, ${region} ${postalCode}`;
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(place)}`;
}
