import { backups, characters, operator, owner } from './inside.ts';
import { gateway, mail, office, portalAddress } from './outside.ts';
import { examineOne, type Check, type Finding } from './finding.ts';
import type { Live } from './live.ts';

/** What the guide of docs/operations.md must have brought, in its order. */
export const goingLive: Check<Live>[] = [
  characters,
  operator,
  owner,
  mail,
  gateway,
  portalAddress,
  office,
  backups,
];

/** All of it at once. */
export async function examineGoingLive(live: Live): Promise<Finding[]> {
  return (await Promise.all(goingLive.map((check) => examineOne(check, live)))).flat();
}
