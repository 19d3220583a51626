import { defineConfig } from '@playwright/test';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

/**
 * Every test runs at phone width. `@smoke` are those of `npm test`, a few of each screen; `npm run
 * prove` runs the others, and the same few on pages that the browser translates. `@wide` are those
 * whose subject is laid out differently at desktop width, and run there as well.
 */
export default defineConfig<{ isTranslated: boolean }>({
  testDir: 'specs',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/{arg}{ext}',
  globalSetup: './support/global-setup.ts',
  workers: 3,
  fullyParallel: true,
  // Far above what any test takes on a busy machine: a limit ends what hangs and decides nothing.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    // The zone of the facility at which tests are, whatever the machine's is.
    timezoneId: 'America/Chicago',
    launchOptions: {
      executablePath: process.env.PORTAL_CHROMIUM,
      args: (process.env.PORTAL_CHROMIUM_ARGS ?? '').split(' ').filter(Boolean),
    },
    // To record every step costs a sixth of the time.
    trace: process.env.PORTAL_TRACE === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'smoke', grep: /@smoke/, use: phone },
    { name: 'phone', grepInvert: /@smoke/, use: phone },
    {
      name: 'desktop',
      grep: /@wide/,
      use: { viewport: { width: 1280, height: 800 } },
    },
    { name: 'translated', grep: /@smoke/, use: { ...phone, isTranslated: true } },
  ],
});
