import { defineConfig } from '@playwright/test';

/** Every spec runs at phone and at desktop width, against a server and database of its own. */
export default defineConfig({
  testDir: 'specs',
  outputDir: 'test-results',
  globalSetup: './support/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: {
      executablePath: process.env.PORTAL_CHROMIUM,
      args: (process.env.PORTAL_CHROMIUM_ARGS ?? '').split(' ').filter(Boolean),
    },
    // To record every step costs a sixth of the time.
    trace: process.env.PORTAL_TRACE === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  // A test tagged @phone is about what only a narrow page has, one tagged @once about nothing that a width changes.
  projects: [
    { name: 'phone', use: { viewport: { width: 360, height: 740 }, hasTouch: true } },
    { name: 'desktop', grepInvert: /@phone|@once/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
