import { exitCode, startNode } from './run.mjs';
import { main } from './say.mjs';
import { ensureInstalled, node26 } from './setup.mjs';
import { runSteps, stepsOfFiles, testSteps } from './test-steps.mjs';

// `npm test` runs every step, `npm test types lint` these, and `npm test payments` the tests in
// files with that in their path.
await main(async () => {
  const names = process.argv.slice(2);
  await ensureInstalled();
  if (Number.parseInt(process.versions.node) < 26) {
    node26();
    process.exitCode = await exitCode(startNode('scripts/test.mjs', names));
    return;
  }
  const steps = testSteps.filter(({ name, phase }) =>
    names.length === 0 ? phase !== 'asked' : names.includes(name),
  );
  const files = names.filter((name) => !testSteps.some((step) => step.name === name));
  await runSteps(files.length === 0 ? steps : [...steps, ...stepsOfFiles(files)]);
});
