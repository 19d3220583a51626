import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserArgs, findBrowser } from './browser.mjs';
import { exitCode, startNode } from './run.mjs';
import { Trouble, main, say, since } from './say.mjs';
import { ensureInstalled, node26, root } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 * @typedef {{ name: string, run: () => Promise<Count>, phase: 'apart' | 'page' }} Step
 */

const reports = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
let interrupted = false;

/** @type {Step[]} */
const steps = [
  { name: 'lint', phase: 'apart', run: () => tool('eslint/bin/eslint.js', ['.']) },
  { name: 'types', phase: 'apart', run: types },
  {
    name: 'arrows',
    phase: 'apart',
    run: () => tool('dependency-cruiser/bin/dependency-cruiser.mjs', ['contract/src', 'server/src', 'web/src']),
  },
  {
    name: 'format',
    phase: 'apart',
    run: () => tool('prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']),
  },
  { name: 'unused', phase: 'apart', run: () => tool('knip/bin/knip.js', []) },
  { name: 'unit', phase: 'apart', run: unitTests },
  { name: 'proof', phase: 'apart', run: smallProofs },
  { name: 'bytes', phase: 'page', run: bytes },
  { name: 'bundle', phase: 'page', run: bundle },
  { name: 'browser', phase: 'page', run: browserTests },
];

/**
 * One of the installed tools, which counts as one test.
 * @param {string} file in node_modules
 * @param {string[]} args
 */
async function tool(file, args) {
  return counted(await exitCode(startNode(`node_modules/${file}`, args)));
}

/** Each workspace by its own settings, in one test. */
async function types() {
  const workspaces = ['contract', 'server', 'web', 'e2e', 'bench', 'proof', 'attack', 'docs'];
  const codes = await Promise.all(
    workspaces.map((name) => exitCode(startNode('node_modules/@typescript/native/bin/tsc', ['-p', name]))),
  );
  return counted(Math.max(...codes));
}

async function unitTests() {
  const report = join(reports, 'unit.json');
  const child = startNode('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const code = await exitCode(child);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = read(report);
  return ofRunner('vitest', code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  });
}

/** Every proof at its small size, in one test; side by side, because most of their time is waiting. */
async function smallProofs() {
  return counted(await exitCode(startNode('proof/src/main.ts', ['--together', '3'])));
}

async function bytes() {
  await ensureWebBuilt();
  return counted(await exitCode(startNode('scripts/bytes.mjs')));
}

/** What the built portal hands out: no secret, no source map, no script that a page does not name (T24). */
async function bundle() {
  return counted(await exitCode(startNode('proof/src/main.ts', ['T24', '--size', 'bundle=1'])));
}

async function browserTests() {
  await ensureWebBuilt();
  const { executablePath, source } = await findBrowser();
  say(`Browser: ${executablePath} (from ${source})`);
  const report = join(reports, 'browser.json');
  const child = startNode('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    cwd: join(root, 'e2e'),
    env: {
      PORTAL_CHROMIUM: executablePath,
      PORTAL_CHROMIUM_ARGS: browserArgs.join(' '),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  });
  const code = await exitCode(child);
  const { expected, unexpected, flaky, skipped } = read(report).stats ?? {};
  return ofRunner('playwright', code, { passed: expected, failed: unexpected + flaky, skipped });
}

/** @param {number} code */
function counted(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * The runner's own count; that it ran nothing, or ended badly for another reason than a test, is one failure more.
 * @param {string} runner
 * @param {number} code
 * @param {Count} count
 */
function ofRunner(runner, code, count) {
  if (!(count.passed + count.failed > 0)) throw new Trouble(`${runner} ran no test.`);
  if (code !== 0 && count.failed === 0) return { ...count, failed: 1 };
  return count;
}

/** @param {string} report */
function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
}

/** @param {Step} step */
async function runStep({ name, run }) {
  const begun = Date.now();
  say(`${name} ...`);
  const count = await run().catch((error) => {
    process.stderr.write(
      `${error instanceof Trouble ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
    return counted(1);
  });
  say(`${name} ${count.failed === 0 ? 'passed' : 'FAILED'} (${since(begun)})`);
  return count;
}

/** @param {string[]} names */
function chosen(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Trouble(
      `There is no step ${unknown.join(', ')}: the steps are ${steps.map(({ name }) => name).join(', ')}.`,
    );
  return names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name));
}

/** @param {Step[]} wanted */
async function runSteps(wanted) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const failedSteps = [];
  /** @param {Iterable<Step>} some */
  const runAll = async (some) => {
    for (const step of some) {
      if (interrupted) throw new Trouble('Interrupted.');
      const count = await runStep(step);
      if (count.failed > 0) failedSteps.push(step.name);
      total.passed += count.passed;
      total.failed += count.failed;
      total.skipped += count.skipped;
    }
  };
  /** @param {Step['phase']} phase */
  const of = (phase) => wanted.filter((step) => step.phase === phase).values();
  // A check keeps one processor busy and the proofs mostly wait; the browser tests need both processors and the bytes' build.
  const apart = of('apart');
  await Promise.all([runAll(apart), runAll(apart)]);
  await runAll(of('page'));
  if (interrupted) throw new Trouble('Interrupted.');
  if (failedSteps.length > 0) say(`Failed: ${failedSteps.join(', ')}`);
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  if (total.failed > 0) process.exitCode = 1;
}

// The terminal interrupts the running tool as well; this process waits for it and then stops.
process.on('SIGINT', () => (interrupted = true));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

await main(async () => {
  const wanted = chosen(process.argv.slice(2));
  await ensureInstalled();
  if (Number.parseInt(process.versions.node) >= 26) return runSteps(wanted);
  node26();
  process.exitCode = await exitCode(startNode('scripts/test.mjs', process.argv.slice(2)));
});
