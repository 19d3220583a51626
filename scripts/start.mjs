import { exitCode, forwardSignals, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureWebBuilt();
  // The channel tells the server when this process was killed, so that it does not stay behind with the port ('disconnect' in start.ts).
  const server = startNode('server/src/main.ts', [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ownGroup: true,
  });
  forwardSignals([server]);
  const watch = endWithNpm(server);
  process.exitCode = await exitCode(server);
  clearInterval(watch);
});

/**
 * `kill` of npm ends npm and its shell and tells nobody else; the shell's end shows in the parent of this process.
 * @param {import('node:child_process').ChildProcess} server
 */
function endWithNpm(server) {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.env['npm_lifecycle_event'] && process.ppid !== parent) server.kill('SIGTERM');
  }, 250);
}
