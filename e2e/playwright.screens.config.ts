import config from './playwright.config.ts';

/** `npm run screens`: takes the pictures of docs/screens again. */
export default { ...config, testDir: 'screens' };
