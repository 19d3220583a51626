import {
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  dedupeIntegration,
  globalHandlersIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
} from '@sentry/browser';
import { sentryOptions } from './sentry-options.ts';
import type { Replay } from './sentry-replay.ts';

/**
 * Hands an error to the operator's error sink. `isHandled`: the tenant was shown the error page for
 * it.
 */
export type Report = (error: unknown, isHandled: boolean) => void;

/**
 * Starts the Sentry SDK: from here on it listens for uncaught errors itself. Loaded only where
 * there is a DSN.
 */
export function startSentry(dsn: string, replay: Replay): Report {
  init({
    ...sentryOptions(dsn),
    // Chosen one by one: the defaults also wrap timers and listeners, and keep what is clicked and
    // logged.
    defaultIntegrations: false,
    integrations: [
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      breadcrumbsIntegration({ dom: false, xhr: false, sentry: false }),
      browserTracingIntegration({ traceXHR: false }),
      replay,
    ],
  });
  return (error, isHandled) => {
    captureException(error, {
      mechanism: { type: isHandled ? 'error-page' : 'before-sdk', handled: isHandled },
    });
  };
}
