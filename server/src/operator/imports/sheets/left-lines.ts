import type { Leases } from './leases.ts';

/** Which rows of lease sheets are no leases, in sentences. */
export function leftLines(left: Leases['left']): string[] {
  const count = (of: number, what: string) => (of === 0 ? [] : [`${of} ${what}.`]);
  return [
    ...left.totals.map((place) => `A row of totals was left out: ${place}.`),
    ...count(left.vacant, 'units have no tenant'),
    ...count(left.headings, 'rows repeat the headings and were left out'),
    ...count(left.here, 'rentals are here already and were left as they are'),
    ...count(left.byRemedy, 'rows were left out by a remedy'),
  ];
}
