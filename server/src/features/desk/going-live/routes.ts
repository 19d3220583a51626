import { getGoingLive } from '@gatehouse/contract/office/going-live';
import type { OfficeRoutes } from '#http/office-routes.ts';
import { examineGoingLive } from './checks.ts';

/** The office's page “Go live”. */
export function goingLiveRoutes({ staff }: OfficeRoutes): void {
  staff(getGoingLive, async ({ work: { config, db, gateway } }) => {
    const found = await examineGoingLive({
      config,
      prepared: () => Promise.resolve(db),
      gateway: () => Promise.resolve(gateway),
    });
    const steps = found.map(({ todo = null, ...one }) => ({
      ...one,
      todo: one.level === 'ok' ? null : todo,
    }));
    return { isLive: config.profile === 'live', steps };
  });
}
