import type { Context } from '#context/context.ts';
import { removeUnkeptFiles } from '#features/images/images.ts';
import { forAboutADay, type JobKind } from './job.ts';

const options = { ...forAboutADay, expireInSeconds: 120, batchSize: 20 };

/** Removes a file that has no row, because of a refusal, a removal or a crash. */
export const sweepFile: JobKind<'sweep-file'> = { name: 'sweep-file', options, run: sweep };

/**
 * The same an hour after a paper was filed, under a name of its own: during an upgrade a server of
 * an older version runs `sweep-file` too, finds no photo of that key and would remove the file.
 */
export const sweepPaper: JobKind<'sweep-paper'> = { name: 'sweep-paper', options, run: sweep };

function sweep(ctx: Context, batch: { key: string }[]): Promise<void> {
  return removeUnkeptFiles(
    ctx,
    batch.map(({ key }) => key),
  );
}
