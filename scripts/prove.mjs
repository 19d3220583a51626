import { exitCode, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled, node26 } from './setup.mjs';
import { proveSteps, runSteps } from './test-steps.mjs';

// `npm run prove` runs the slow tests and every proof and attack at its small size; with arguments
// the steps or the proofs that they name.
await main(async () => {
  const args = process.argv.slice(2);
  await ensureInstalled();
  const asked = proveSteps.filter(({ name }) => args.includes(name));
  if (asked.length < args.length) {
    process.exitCode = await exitCode(startNode('trials/src/main.ts', args));
    return;
  }
  if (Number.parseInt(process.versions.node) >= 26)
    return runSteps(args.length > 0 ? asked : proveSteps);
  node26();
  process.exitCode = await exitCode(startNode('scripts/prove.mjs', args));
});
