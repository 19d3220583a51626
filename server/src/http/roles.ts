import { isAtLeast, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { Refusal } from '#errors/refusal.ts';

/** Refuses with 403 a role below `least`; `act` completes "may not". */
export function demandRole(role: OfficeRole, least: OfficeRole, act: string): void {
  if (isAtLeast(role, least)) return;
  const who = least === 'owner' ? 'an owner' : `a ${least}`;
  throw new Refusal(403, `Your role, ${role}, may not ${act}; ${who} may.`);
}
