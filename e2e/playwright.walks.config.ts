import config from './playwright.config.ts';

/** `npm run walks`: imports eight files of other systems, and prints presses and seconds. */
export default {
  ...config,
  testDir: 'walks',
  workers: 1,
  use: { ...config.use, actionTimeout: 60_000 },
  projects: [{ name: 'walks', use: { viewport: { width: 1280, height: 800 } } }],
};
