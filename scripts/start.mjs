import { join } from 'node:path';
import { endWithNpm, exitCode, forwardSignals, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled, root } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';

await main(async () => {
  await ensureInstalled('start');
  await ensureWebBuilt();
  // The channel closes when this process is killed, which the server notices, so that it does not
  // stay behind with the port ('disconnect' in start.ts).
  const server = startNode('server/src/main.ts', [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ownGroup: true,
    // Of each thread that decodes a photo glibc would keep memory for itself: two heaps for all are
    // enough, and stay flat.
    env: {
      MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
      // Compiled code, and TypeScript without its types: a third of what a start computes.
      NODE_COMPILE_CACHE:
        process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules', '.cache', 'gatehouse'),
    },
  });
  forwardSignals([server]);
  endWithNpm([server]);
  process.exitCode = await exitCode(server);
});
