import { removeUnkeptFiles } from '#features/images/images.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Removes a file that has no row, because of a refusal, a removal or a crash. */
export const sweepFile: JobKind<'sweep-file'> = {
  name: 'sweep-file',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 20 },
  run: (ctx, batch) =>
    removeUnkeptFiles(
      ctx,
      batch.map(({ key }) => key),
    ),
};
