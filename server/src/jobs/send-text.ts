import { sendTexts } from '#features/text-sending/send.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Hands queued text messages over, each once at most. */
export const sendText: JobKind<'send-text'> = {
  name: 'send-text',
  // A call ends within 20 seconds (D31), so within its lease: a text that is found under way by a
  // later job is of one that has ended.
  options: { ...forAboutADay, expireInSeconds: 70, batchSize: 1, workers: 2 },
  run: (ctx, batch) =>
    sendTexts(
      ctx,
      batch.map(({ textId }) => textId),
    ),
};
