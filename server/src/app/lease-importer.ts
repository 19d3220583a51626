import { Worker } from 'node:worker_threads';
import type { LeasesReport } from '@gatehouse/contract/office/imports';
import type { Config } from '#config/config.ts';
import type { RecheckStatus } from '#db/reach.ts';
import type { ImportProgress, LeaseImporter } from '#context/lease-import.ts';
import { StartFault } from '#errors/start-fault.ts';

/** The files are read within this time, or cut off. */
const LONGEST_MS = 120_000;
const MOST_HEAP_MB = 512;

/** What the thread answers: how far it is, then the report, or what is wrong in a sentence. */
export type LeaseImportAnswer =
  | { progress: ImportProgress }
  | { report: LeasesReport }
  | { fault: string }
  | { refused: RecheckStatus };

type Ended = Exclude<LeaseImportAnswer, { progress: ImportProgress }>;

/**
 * Runs imports in a thread of their own, as the owner of the database, one at a time: a hostile
 * file holds its thread only, until the time for reading is over. What the thread has not committed
 * is undone, also when it is aborted.
 */
export function createLeaseImporter(
  url: string,
  config: Config,
  longestMs = LONGEST_MS,
): LeaseImporter {
  let isBusy = false;
  return async (order, refusalOf, { onProgress, signal }) => {
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
      const answer = await new Promise<Ended>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the import was aborted')));
        timer = setTimeout(
          () =>
            resolve({
              fault: `The files take longer than ${longestMs / 1000} seconds: save them as CSV, import fewer at once, or use the command.`,
            }),
          longestMs,
        );
        thread.on('message', (message: LeaseImportAnswer) => {
          if ('progress' in message) {
            clearTimeout(timer);
            onProgress(message.progress);
          } else resolve(message);
        });
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
