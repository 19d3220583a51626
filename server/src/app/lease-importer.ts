import { Worker } from 'node:worker_threads';
import type { LeasesReport } from '@gatehouse/contract/office/imports';
import type { Config } from '#config/config.ts';
import type { RecheckStatus } from '#db/reach.ts';
import type { LeaseImporter } from '#context/lease-import.ts';
import { StartFault } from '#errors/start-fault.ts';

/** A call is answered within a minute, or cut off. */
const LONGEST_MS = 50_000;
const MOST_HEAP_MB = 512;

/** What the thread answers: the report, or what is wrong in a sentence. */
export type LeaseImportAnswer =
  | { report: LeasesReport }
  | { fault: string }
  | { refused: RecheckStatus };

/**
 * Runs imports in a thread of their own, as the owner of the database, one at a time: a hostile
 * file holds its thread only, until the time is over. What the thread has not committed is undone.
 */
export function createLeaseImporter(
  url: string,
  config: Config,
  longestMs = LONGEST_MS,
): LeaseImporter {
  let isBusy = false;
  return async (order, refusalOf) => {
    if (isBusy) throw new StartFault('Another import is under way. Wait until it is through.');
    isBusy = true;
    const thread = new Worker(
      new URL('../operator/imports/sheets/import-thread.ts', import.meta.url),
      {
        workerData: { url, config, order },
        resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
      },
    );
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<LeaseImportAnswer>((resolve, reject) => {
        timer = setTimeout(
          () =>
            resolve({
              fault: `The files take longer than ${longestMs / 1000} seconds: save them as CSV, import fewer at once, or use the command.`,
            }),
          longestMs,
        );
        thread.once('message', resolve);
        thread.once('error', (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error);
          else resolve({ fault: 'The files take too much memory: import fewer rows at once.' });
        });
        thread.once('exit', (code) => reject(new Error(`the import's thread ended with ${code}`)));
      });
      if ('refused' in answer) throw refusalOf(answer.refused);
      if ('fault' in answer) throw new StartFault(answer.fault);
      return answer.report;
    } finally {
      clearTimeout(timer);
      await thread.terminate();
      isBusy = false;
    }
  };
}
