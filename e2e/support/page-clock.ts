import type { BrowserContext } from '@playwright/test';
import { testClockShift } from '../../server/test/test-day.ts';

/**
 * Gives the pages of a context the clock of the run. The `test` of portal.ts does it for its own
 * context. Timers are the browser's; a test that needs others installs Playwright's clock, with
 * `{ time: testClock.now() }`.
 */
export async function setClock(context: BrowserContext): Promise<void> {
  await context.addInitScript((shift) => {
    const Machine = Date;
    const now = Machine.now.bind(Machine);
    Machine.now = () => now() + shift;
    const Shifted = new Proxy(Machine, {
      construct: (_, given: unknown[], made) =>
        Reflect.construct(Machine, given.length === 0 ? [Machine.now()] : given, made) as Date,
      apply: () => new Machine(Machine.now()).toString(),
    });
    Machine.prototype.constructor = Shifted;
    globalThis.Date = Shifted;
  }, testClockShift());
}
