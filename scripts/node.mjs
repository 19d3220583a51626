import { endWithNpm, exitCode, forwardSignals, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled } from './setup.mjs';

// Runs the named file of this repo under Node 26, with what follows as its arguments.
await main(async () => {
  const [file = '', ...args] = process.argv.slice(2);
  await ensureInstalled(file.startsWith('server/') ? 'start' : 'all');
  const child = startNode(file, args, { ownGroup: true });
  forwardSignals([child]);
  endWithNpm([child]);
  process.exitCode = await exitCode(child);
});
