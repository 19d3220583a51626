import type { Context, Job } from '#context/context.ts';
import { describeError } from '#telemetry/log.ts';
import { scrub } from '#telemetry/scrub.ts';

/** The error that the queue stores: the same text as in the log, without a row of the database. */
class JobFailure extends Error {
  toJSON(): unknown {
    return JSON.parse(scrub(JSON.stringify(describeError(this.cause))));
  }
}

/**
 * Runs a batch of jobs. A failure or a timeout is logged and counted, because the queue does not
 * report it.
 */
export async function noteFailure(
  { log, metrics, stopping }: Context,
  name: Job['name'],
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const note = (error: unknown) => {
    log.error({ err: error, work: name }, 'a job failed');
    metrics.failedJobs.inc({ name });
  };
  const notifyOfTime = () => {
    if (!stopping.aborted) note(new Error('the job did not end in its time'));
  };
  signal.addEventListener('abort', notifyOfTime);
  try {
    await work();
  } catch (error) {
    note(error);
    throw new JobFailure('a job failed', { cause: error });
  } finally {
    signal.removeEventListener('abort', notifyOfTime);
  }
}
