import { browserArgs, findBrowser } from './browser.mjs';
import { exitCode, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled, root } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';
import { join } from 'node:path';

// Takes the pictures of docs/screens again, or with `walks` makes the walks of e2e/walks.
const which = process.argv[2] ?? 'screens';
await main(async () => {
  await ensureInstalled();
  await ensureWebBuilt();
  const { executablePath } = await findBrowser();
  const args = ['test', '--config', `playwright.${which}.config.ts`, '--reporter=list'];
  const child = startNode('node_modules/@playwright/test/cli.js', args, {
    cwd: join(root, 'e2e'),
    env: { PORTAL_CHROMIUM: executablePath, PORTAL_CHROMIUM_ARGS: browserArgs.join(' ') },
  });
  process.exitCode = await exitCode(child);
});
