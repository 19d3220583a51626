import { doEach } from '#context/each.ts';
import { forgetLimits } from '#features/limits/limits.ts';
import { forgetOldChallenges } from '#features/passkeys/challenges.ts';
import { forgetOldLookups } from '#features/registration/registration.ts';
import {
  forgetOldImages,
  forgetOldRows,
  forgetOldTexts,
  forgetOldVehiclePapers,
} from '#features/retention/retention.ts';
import { forgetOldDevices } from '#features/session/devices.ts';
import { forgetOldNetworks, forgetOldTries } from '#features/session/sign-in-tries.ts';
import { forgetOldStaffSessions } from '#features/staff/sign-in.ts';
import type { JobKind } from './job.ts';

const works = [
  forgetLimits,
  forgetOldTries,
  forgetOldNetworks,
  forgetOldDevices,
  forgetOldChallenges,
  forgetOldLookups,
  forgetOldStaffSessions,
  forgetOldRows,
  forgetOldTexts,
  forgetOldImages,
  forgetOldVehiclePapers,
];

/**
 * Hourly: deletes what is older than its retention period (docs/retention.md). By the database's
 * time, to which all is old that a server in the past has written: one with a shifted clock keeps
 * it.
 */
export const forgetOld: JobKind<'forget-old'> = {
  name: 'forget-old',
  cron: '52 * * * *',
  options: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 3600, batchSize: 1 },
  async run(ctx) {
    if (ctx.config.clockShiftMs !== 0) return;
    await doEach(works, { atOnce: 1, what: 'kinds of old things could not be forgotten' }, (work) =>
      work(ctx),
    );
  },
};
