import { removeUnkeptFiles } from '#features/images/images.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Removes the file of a photo that was not stored, because of a refusal or a crash. */
export const sweepFile: JobKind<'sweep-file'> = {
  name: 'sweep-file',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 20 },
  run: (ctx, batch) =>
    removeUnkeptFiles(
      ctx,
      batch.map(({ key }) => key),
    ),
};
