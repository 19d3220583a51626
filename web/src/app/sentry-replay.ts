import { replayIntegration } from '@sentry/browser';
import { isPrivateMoment, onPrivateMoment } from '#session/private-moment.ts';

export type Replay = ReturnType<typeof replayIntegration>;

type ReplayOptions = NonNullable<Parameters<typeof replayIntegration>[0]>;

/**
 * Everything is masked, and what is typed or chosen is left out: its mask would show its length.
 */
export const replayOptions: ReplayOptions = {
  maskAllText: true,
  maskAllInputs: true,
  blockAllMedia: true,
  block: ['input', 'select', 'textarea'],
  maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value'],
  networkCaptureBodies: false,
  // The worker would come from a blob, which the page policy refuses.
  useCompression: false,
  // Nothing of it goes into the browser's storage.
  stickySession: false,
};

export function createReplay(): Replay {
  return replayIntegration(replayOptions);
}

/** Keeps the replay off in private moments; what it has not sent by then is thrown away. */
export function stopInPrivateMoments(replay: Replay): void {
  /** How it recorded before the moment; undefined while it is not ours to start again. */
  let mode: ReturnType<Replay['getRecordingMode']>;

  function follow() {
    if (isPrivateMoment()) {
      mode ??= replay.getRecordingMode();
      void replay.stop({ flush: false });
    } else {
      // The page still holds what is being taken away.
      setTimeout(resume);
    }
  }
  function resume() {
    if (isPrivateMoment() || mode === undefined) return;
    if (mode === 'session') replay.start();
    else replay.startBuffering();
    mode = undefined;
  }
  onPrivateMoment(follow);
  if (isPrivateMoment()) follow();
}
