import { join } from 'node:path';
import { exitCode, forwardSignals, startNode } from './run.mjs';
import { main, say } from './say.mjs';
import { ensureInstalled, root } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  say('Starting the server and the portal in watch mode; Ctrl-C ends both');
  const server = startNode('--watch', [join(root, 'server/src/main.ts')], { ownGroup: true });
  const web = startNode('node_modules/vite/bin/vite.js', [], { cwd: join(root, 'web'), ownGroup: true });
  const both = [server, web];
  forwardSignals(both);
  process.exitCode = await Promise.race(both.map(exitCode));
  for (const child of both) child.kill('SIGTERM');
  await Promise.all(both.filter((child) => child.exitCode === null && child.signalCode === null).map(exitCode));
});
