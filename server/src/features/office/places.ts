import { notFound } from '#errors/refusal.ts';
import type { StaffMember } from '#http/staff-guard.ts';

/**
 * The ids of the member's facilities, or of the one that a filter names. Refuses with 404 another
 * one, like one that is not there. Every statement for the office names them, even though row-level
 * security limits it to the same.
 */
export function placesOf({ facilities }: StaffMember, locationCode: string | undefined): string[] {
  if (locationCode === undefined) return facilities.map(({ id }) => id);
  const one = facilities.find((facility) => facility.locationCode === locationCode);
  if (one === undefined) throw notFound();
  return [one.id];
}
