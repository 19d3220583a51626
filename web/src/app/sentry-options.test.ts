import { expect, test } from 'vitest';
import { sentryOptions } from './sentry-options.ts';
import { replayOptions } from './sentry-replay.ts';

// spec 9.32, 9.33, 9.34
test('trace sample rate 1, session replay sample 0.1, replay on error 1', () => {
  expect(sentryOptions('http://key@127.0.0.1/1')).toMatchObject({
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
  });
});

test('a replay masks all text, all fields and all media, and has no bodies of requests', () => {
  expect(replayOptions).toMatchObject({
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    networkCaptureBodies: false,
  });
  for (const lets of ['unmask', 'unblock', 'networkDetailAllowUrls'])
    expect(replayOptions).not.toHaveProperty(lets);
});

test('no request of the portal carries a trace header', () => {
  expect(sentryOptions('http://key@127.0.0.1/1').tracePropagationTargets).toEqual([]);
});
