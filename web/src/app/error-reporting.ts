import type { Report } from './sentry.ts';
import { whenIdle } from './when-idle.ts';

/** More than these are one fault that repeats. */
const MOST_HELD = 10;

/**
 * Keeps what goes wrong until there is something to report it with, which is far too large to wait
 * for. `target` receives uncaught errors; `handOver(null)` says that there is no listener.
 */
export function createErrorBuffer(target: EventTarget) {
  let held: Parameters<Report>[] = [];
  let report: Report | null = (...entry) => {
    if (held.length < MOST_HELD) held.push(entry);
  };
  const threw = (event: Event) => {
    const { error, message } = event as Event & { error: unknown; message: string };
    report?.(error ?? message, false);
  };
  const rejected = (event: Event) => report?.((event as PromiseRejectionEvent).reason, false);
  target.addEventListener('error', threw);
  target.addEventListener('unhandledrejection', rejected);

  return {
    report: (error: unknown) => report?.(error, true),
    /** From here on `next` gets what is caught; it listens for what is not caught itself. */
    handOver(next: Report | null) {
      target.removeEventListener('error', threw);
      target.removeEventListener('unhandledrejection', rejected);
      report = next;
      for (const entry of held) next?.(...entry);
      held = [];
    },
  };
}

let buffer: ReturnType<typeof createErrorBuffer> | undefined;

/** Begins to hold what goes wrong. */
export function holdErrors(): void {
  buffer = createErrorBuffer(window);
}

/** Reports what the error page is shown for. */
export function reportCaught(error: unknown): void {
  buffer?.report(error);
}

/**
 * Once the page is painted and idle, fetches what reports errors, if the operator has a sink for
 * them. Called after the first render, whose modules go first.
 */
export function reportErrorsWhenIdle(): void {
  const painted = new PerformanceObserver((entries) => {
    // The first paint may be of the background only.
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    painted.disconnect();
    whenIdle(() => void start());
  });
  painted.observe({ type: 'paint', buffered: true });
}

async function start(): Promise<void> {
  const sink = errorSink();
  if (sink === '') {
    buffer?.handOver(null);
    return;
  }
  try {
    const [{ startSentry }, { createReplay, stopInPrivateMoments }] = await Promise.all([
      import('./sentry.ts'),
      import('./sentry-replay.ts'),
    ]);
    const replay = createReplay();
    const report = startSentry(sink, replay);
    stopInPrivateMoments(replay);
    buffer?.handOver(report);
  } catch {
    // Errors stay unreported, which is harmless; an error of the reporting must not look like one
    // of the portal.
    buffer?.handOver(null);
  }
}

/**
 * The DSN that the server names in a header of the page (server/src/http/portal.ts); '' where it
 * has none.
 */
function errorSink(): string {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Browsers show it to pages that came over https or from this machine, and old ones to none.
  const timings = page?.serverTiming;
  return timings?.find(({ name }) => name === 'error-sink')?.description ?? '';
}
