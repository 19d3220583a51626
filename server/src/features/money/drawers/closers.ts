import { formatDate } from '@gatehouse/contract/dates';
import type { OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { Refusal } from '#errors/refusal.ts';
import type { Drawer } from './drawers.ts';

/** Who closes a drawer. */
export type Closer = { id: string; name: string; role: OfficeRole };

/**
 * Why a closer may not close the drawer of a day, or null. Days close in order, each once and none
 * to come. A clerk who took any cash of the day does not close it while an active account of the
 * facility could that took none; a manager may.
 */
export function refusalOf(
  { on, today }: { on: string; today: string },
  { closing, closedThrough, openDay, takers, members }: Drawer,
  closer: Closer,
): Refusal | null {
  if (on > today) return new Refusal(422, 'This day is still to come.');
  if (closing !== null) return new Refusal(409, `${closing.by} has closed this day.`);
  if (closedThrough !== null && on <= closedThrough)
    return new Refusal(409, `The days until ${formatDate(closedThrough)} are closed.`);
  if (openDay !== null) return new Refusal(409, `Close ${formatDate(openDay)} first.`);
  const tookCash = new Set(takers.filter((one) => one.tookCash).map(({ staffId }) => staffId));
  if (closer.role !== 'clerk' || !tookCash.has(closer.id)) return null;
  const others = members.filter(({ id }) => !tookCash.has(id));
  return others.length === 0
    ? null
    : new Refusal(
        403,
        `You took cash on this day: somebody who did not closes it, such as ${others[0]!.name}.`,
      );
}
