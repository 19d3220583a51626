import { randomUUID } from 'node:crypto';
import type { StaffCall } from '#features/base/staff-actions/staff-actions.ts';

/** A verb's call by Ana, who works for all facilities, under a new key; `given` replaces parts. */
export function staffCall(given: Partial<StaffCall> = {}): StaffCall {
  return { key: randomUUID(), by: 'Ana', why: '', facilityIds: null, isPreview: false, ...given };
}
