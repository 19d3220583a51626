import { Worker } from 'node:worker_threads';
import type { LeasesReport } from '@gatehouse/contract/office/imports';
import type { Config } from '#config/config.ts';
import type { Recheck, RecheckStatus } from '#db/reach.ts';
import type { ImportProgress, LeaseImporter } from '#context/lease-import.ts';
import { StartFault } from '#errors/start-fault.ts';

/** The files are read within this time, or cut off. */
const LONGEST_MS = 120_000;
const MOST_HEAP_MB = 512;

/** What an order came to: the report, or what is wrong in a sentence, or that it is refused. */
export type LeaseImportAnswer =
  | { report: LeasesReport }
  | { fault: string }
  | { refused: RecheckStatus };

/** What the thread says: how far it is, then its answer. */
export type LeaseImportMessage = { progress: ImportProgress } | LeaseImportAnswer;

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
      const answer = await new Promise<LeaseImportAnswer>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the import was aborted')));
        timer = setTimeout(
          () =>
            resolve({
              fault: `The files take longer than ${longestMs / 1000} seconds: save them as CSV, import fewer at once, or use the command.`,
            }),
          longestMs,
        );
        thread.on('message', (message: LeaseImportMessage) => {
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
      return reportIn(answer, refusalOf);
    } finally {
      clearTimeout(timer);
      await thread.terminate();
      isBusy = false;
    }
  };
}

/** The report of an answer; throws as a `LeaseImporter` does where it is none. */
export function reportIn(answer: LeaseImportAnswer, refusalOf: Recheck['refusalOf']): LeasesReport {
  if ('refused' in answer) throw refusalOf(answer.refused);
  if ('fault' in answer) throw new StartFault(answer.fault);
  return answer.report;
}
