import { type BrowserOptions, makeFetchTransport } from '@sentry/browser';
import { scrubEnvelope } from './scrub.ts';

/**
 * What is collected of whom: rates of the specification, nothing about the tenant, and no trace
 * header on any request.
 */
export function sentryOptions(dsn: string): BrowserOptions {
  return {
    dsn,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    // One transaction a page: self-hosted sinks know no streamed spans.
    traceLifecycle: 'static',
    tracePropagationTargets: [],
    sendClientReports: false,
    enhanceFetchErrorMessages: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: { request: { allow: ['User-Agent'] }, response: false },
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    // Not `beforeSend`, which sees errors only: all that leaves goes through here, replays and
    // traces too.
    transport(options) {
      const inner = makeFetchTransport(options);
      return {
        send: (envelope) => inner.send(scrubEnvelope(envelope)),
        flush: (timeout) => inner.flush(timeout),
      };
    },
  };
}
