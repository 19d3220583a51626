import { listLocations, type Location, locationLabel } from '@gatehouse/contract/facilities';
import { stateName } from '@gatehouse/contract/states';
import { call, CORPORATION_CODE } from '#api/call.ts';
import { earlyOrFetch } from '#api/early.ts';
import { getRemembered } from '#session/session.ts';

/** The facilities of the operator. */
export function fetchLocations(signal: AbortSignal): Promise<Location[]> {
  const params = { corp: CORPORATION_CODE };
  return call(listLocations, { params }, { signal, transport: earlyOrFetch });
}

/** The location that this device remembers, if it is still one of ours; else none is chosen. */
export function rememberedAmong(locations: Location[]): { state: string; code: string } {
  const code = getRemembered()?.locationCode;
  const known = locations.find(({ locationCode }) => locationCode === code);
  return { state: known?.address.region ?? '', code: known?.locationCode ?? '' };
}

/** An option of a select. */
type Option = { value: string; label: string };

/** The states that have a facility, by name. */
export function statesOf(locations: Location[]): Option[] {
  const codes = [...new Set(locations.map(({ address }) => address.region))];
  return codes
    .map((code) => ({ value: code, label: stateName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

export function locationsIn(locations: Location[], state: string): Option[] {
  return locations
    .filter(({ address }) => address.region === state)
    .map((location) => ({ value: location.locationCode, label: locationLabel(location) }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
