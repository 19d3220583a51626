import config from './playwright.config.ts';

/** `npm run screens`: takes the pictures of docs/screens anew. */
export default { ...config, testDir: 'screens' };
