import { doEach } from '#context/each.ts';
import { forgetLimits } from '#features/base/limits/limits.ts';
import { forgetOldChallenges } from '#features/people/passkeys/challenges.ts';
import { forgetOldLookups } from '#features/people/registration/registration.ts';
import {
  forgetOldImages,
  forgetOldRows,
  forgetOldStaffOrigins,
  forgetOldTexts,
  forgetOldVehiclePapers,
} from '#features/base/retention/retention.ts';
import { forgetOldImports } from '#features/desk/office/imports.ts';
import { forgetOldDevices } from '#features/people/session/devices.ts';
import { forgetOldNetworks, forgetOldTries } from '#features/people/session/sign-in-tries.ts';
import { forgetOldStaffSessions } from '#features/people/staff/sign-in.ts';
import { once, type JobKind } from './job.ts';

const works = [
  forgetLimits,
  forgetOldTries,
  forgetOldNetworks,
  forgetOldDevices,
  forgetOldChallenges,
  forgetOldLookups,
  forgetOldStaffSessions,
  forgetOldRows,
  forgetOldStaffOrigins,
  forgetOldTexts,
  forgetOldImages,
  forgetOldVehiclePapers,
  forgetOldImports,
];

/**
 * Hourly: deletes what is older than its retention period (docs/retention.md). Most periods end by
 * the database's time, so that the serving role cannot delete younger rows. A test's server with
 * another clock (CLOCK_SHIFT_MS, which the live profile refuses) deletes nothing: what it has just
 * written can look two years old.
 */
export const forgetOld: JobKind<'forget-old'> = {
  name: 'forget-old',
  cron: '52 * * * *',
  options: { ...once, expireInSeconds: 3600 },
  async run(ctx) {
    if (ctx.config.clockShiftMs !== 0) return;
    await doEach(works, { atOnce: 1, what: 'kinds of old things could not be forgotten' }, (work) =>
      work(ctx),
    );
  },
};
