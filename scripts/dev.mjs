import { join } from 'node:path';
import { endWithNpm, exitCode, forwardSignals, startNode } from './run.mjs';
import { main, say } from './say.mjs';
import { ensureInstalled, root } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  const port = process.env['PORT'] || '3000';
  say(
    `Starting the server on http://localhost:${port} and the portal in watch mode; Ctrl-C ends both`,
  );
  say(
    'The portal to work on is http://localhost:5173, or where Vite says below when that port is taken',
  );
  const server = startNode('--watch', [join(root, 'server/src/main.ts')], { ownGroup: true });
  const web = startNode('node_modules/vite/bin/vite.js', [], {
    cwd: join(root, 'web'),
    ownGroup: true,
  });
  const both = [server, web];
  forwardSignals(both);
  endWithNpm(both);
  process.exitCode = await Promise.race(both.map(exitCode));
  for (const child of both) child.kill('SIGTERM');
  await Promise.all(
    both.filter((child) => child.exitCode === null && child.signalCode === null).map(exitCode),
  );
});
