import type { BrowserContext } from '@playwright/test';

/**
 * What went wrong in the pages of a test, as sentences. A test that makes a fault on purpose takes
 * it out.
 */
export type Faults = {
  /** What the page policy refused. */
  refused: string[];
  /** What the pages threw, and what they logged as an error. */
  thrown: string[];
};

type Violation = { directive: string; blocked: string; source: string; page: string };

/**
 * Chromium says by itself that an answer was no success or did not come; what the page makes of
 * that is the tests' business.
 */
const OF_THE_NETWORK = /^Failed to load resource: /;

/**
 * Listens on every page of the context, frames and pages opened by it included, from their first
 * line on.
 */
export async function collectFaults(context: BrowserContext): Promise<Faults> {
  const faults: Faults = { refused: [], thrown: [] };
  await context.exposeBinding(
    'noteViolation',
    (_source, { directive, blocked, source, page }: Violation) => {
      faults.refused.push(`${page}: ${directive} refused ${blocked} of ${source}`);
    },
  );
  await context.addInitScript(() => {
    addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sourceFile }) => {
        const violation = {
          directive: effectiveDirective,
          blocked: blockedURI,
          source: sourceFile,
          page: location.href,
        };
        (globalThis as unknown as { noteViolation: (violation: Violation) => void }).noteViolation(
          violation,
        );
      },
    );
  });
  context.on('console', (message) => {
    const text = message.text();
    // The event may not be there yet, or be of a document that is gone.
    if (text.includes('Content Security Policy') || text.includes('Trusted'))
      faults.refused.push(text);
    else if (message.type() === 'error' && !OF_THE_NETWORK.test(text)) faults.thrown.push(text);
  });
  context.on('weberror', (error) => faults.thrown.push(String(error.error())));
  return faults;
}

/** Waits for what the open pages have said by now. */
export async function settleFaults(context: BrowserContext): Promise<void> {
  // A page may be closed or on its way elsewhere.
  await Promise.all(context.pages().map((page) => page.evaluate(() => {}).catch(() => {})));
}
