import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserArgs, findBrowser } from './browser.mjs';
import { calendar } from './calendar.mjs';
import { exitCode, startNode } from './run.mjs';
import { Trouble, say, since } from './say.mjs';
import { root } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, titles?: string[] }} Count `titles`:
 * of the tests that failed, where the runner tells them apart
 * @typedef {'parallel' | 'alone' | 'asked'} Phase
 * @typedef {{ name: string, run: () => Promise<Count>, phase: Phase }} Step
 */

const reports = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

let isInterrupted = false;
// The terminal interrupts the running tool as well; this process waits for it and then stops.
process.on('SIGINT', () => (isInterrupted = true));

/**
 * The steps of `npm test`, two at a time in this order; those that are `asked` run by their name
 * only. The unit tests take as long as all others together.
 * @type {Step[]}
 */
export const testSteps = [
  { name: 'unit', phase: 'parallel', run: () => allUnitTests('fast') },
  { name: 'lint', phase: 'parallel', run: lint },
  // Lint has reported the same faults; this is for those who want them without its rules.
  { name: 'types', phase: 'asked', run: types },
  { name: 'arrows', phase: 'parallel', run: arrows },
  { name: 'format', phase: 'parallel', run: format },
  { name: 'unused', phase: 'parallel', run: () => tool('knip/bin/knip.js', []) },
  { name: 'bytes', phase: 'parallel', run: bytes },
  { name: 'browser', phase: 'parallel', run: () => browserTests(['--project', 'smoke']) },
];

/**
 * The steps of `npm run prove` without arguments. One at a time: two side by side take as long
 * (docs/decisions/0060).
 * @type {Step[]}
 */
export const proveSteps = [
  { name: 'slow', phase: 'alone', run: () => allUnitTests('slow') },
  {
    name: 'browser',
    phase: 'alone',
    run: () =>
      browserTests(['--project', 'phone', '--project', 'desktop', '--project', 'translated']),
  },
  { name: 'calendar', phase: 'alone', run: onOtherDays },
  { name: 'alerts', phase: 'alone', run: alerts },
  { name: 'proof', phase: 'alone', run: smallProofs },
  { name: 'bench', phase: 'alone', run: smallBenches },
];

/**
 * The unit and browser tests in files whose paths have a part of these texts, such as `payments`;
 * the slow ones only where a text says so, as `restore.slow`, or nothing else fits.
 * @param {string[]} parts
 * @returns {Step[]}
 */
export function stepsOfFiles(parts) {
  const folders = [
    ...['language/src', 'contract/src', 'web/src', 'office/src', 'server/src', 'server/test'],
    'trials/src',
  ];
  /** @param {string} file */
  const fits = (file) => parts.some((part) => file.includes(part));
  const browser = filesIn('e2e/specs', /\.spec\.ts$/);
  const all = [...folders, 'docs/checks'].flatMap((folder) => filesIn(folder, /\.test\.tsx?$/));
  const fast = all.filter((file) => !file.includes('.slow.'));
  const isSlowAsked =
    parts.some((part) => part.includes('slow')) || ![...fast, ...browser].some(fits);
  const unit = isSlowAsked ? all : fast;
  const missing = parts.filter(
    (part) => ![...unit, ...browser].some((file) => file.includes(part)),
  );
  if (missing.length > 0)
    throw new Trouble(
      `No test file has ${missing.map((part) => `“${part}”`).join(' or ')} in its path, and no step is called so. The steps are ${testSteps.map(({ name }) => name).join(', ')}.`,
    );
  /** @type {Step[]} */
  const steps = [];
  if (unit.some(fits))
    steps.push({
      name: 'unit',
      phase: 'parallel',
      run: () => unitTests(isSlowAsked ? parts : [...parts, '--project', '!slow']),
    });
  if (browser.some(fits))
    steps.push({
      name: 'browser',
      phase: 'alone',
      run: () => browserTests(browser.filter(fits).map((file) => file.slice('e2e/'.length))),
    });
  return steps;
}

/**
 * @param {string} folder
 * @param {RegExp} name
 */
function filesIn(folder, name) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);
}

/**
 * One of the installed tools, which counts as one test.
 * @param {string} file in node_modules
 * @param {string[]} args
 */
async function tool(file, args) {
  return counted(await exitCode(startNode(`node_modules/${file}`, args)));
}

/** Between files, and between folders without their tests, in one test. */
async function arrows() {
  const folders = [
    ...['language/src', 'contract/src', 'server/src', 'web/src', 'office/src', 'trials/src'],
    'ops/failover',
  ];
  const cruise = (/** @type {string} */ config) =>
    exitCode(
      startNode('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', [
        ...['--config', config, ...folders],
      ]),
    );
  const ofFiles = await cruise('.dependency-cruiser.cjs');
  return counted(Math.max(ofFiles, await cruise('.dependency-cruiser-folders.cjs')));
}

/** Each workspace by its own settings, in one test. */
async function types() {
  const workspaces = [
    ...['language', 'contract', 'server', 'web', 'office', 'e2e', 'trials', 'ops', 'docs'],
  ];
  const codes = await Promise.all(
    workspaces.map((name) =>
      exitCode(startNode('node_modules/@typescript/native/bin/tsc', ['-p', name])),
    ),
  );
  return counted(Math.max(...codes));
}

/** The formatter, and the columns of prose and comments, which it leaves as they are. */
async function format() {
  const ofFormatter = await exitCode(startNode('node_modules/oxfmt/bin/oxfmt', ['--check']));
  const ofColumns = await exitCode(startNode('docs/checks/all-columns.ts'));
  return counted(Math.max(ofFormatter, ofColumns));
}

/** Lint rules and types in one test, each file by the tsconfig.json nearest to it. */
async function lint() {
  return tool('oxlint/bin/oxlint', [
    '--type-check',
    '--report-unused-disable-directives',
    '--deny-warnings',
  ]);
}

/**
 * The types of the rows that the tests read are compared after them, as one test more.
 * @param {'fast' | 'slow'} speed
 */
async function allUnitTests(speed) {
  const rows = mkdtempSync(join(reports, 'rows-'));
  const project = speed === 'slow' ? 'slow' : '!slow';
  const count = await unitTests(['--project', project], { ROWS_SEEN: rows });
  if (count.failed > 0) return count;
  const compare = startNode('server/test/row-types.ts', [rows, speed]);
  const { passed, failed } = counted(await exitCode(compare));
  return { ...count, passed: count.passed + passed, failed };
}

/**
 * @param {string[]} which
 * @param {Record<string, string>} [env]
 */
async function unitTests(which, env = {}) {
  const report = join(reports, 'unit.json');
  const child = startNode(
    'node_modules/vitest/vitest.mjs',
    ['run', ...which, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env },
  );
  const code = await exitCode(child);
  const result = read(report);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = result;
  /** @type {{ status: string, fullName: string }[]} */
  const tests = (result.testResults ?? []).flatMap(
    (/** @type {{ assertionResults: unknown[] }} */ file) => file.assertionResults,
  );
  return ofRunner('vitest', code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    titles: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  });
}

/**
 * The tests on other days, but for those that read our files only: at all instants where a
 * developer asks for this step by its name.
 */
function onOtherDays() {
  return calendar({
    isWhole: process.argv.includes('calendar') && process.env['CI'] === undefined,
    unit: (env) => unitTests(['--project', '!slow', '--project', '!docs'], env),
    browser: (env) => browserTests(['--project', 'smoke'], env),
  });
}

/** The alert rules by Prometheus' own tool; skipped where that is not installed. */
async function alerts() {
  const [command, ...args] = ['promtool', 'test', 'rules', 'ops/watching/alerts.test.yml'];
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error === undefined) return counted(status ?? 1);
  say(
    'The alert rules were not tested: promtool is not installed (Debian: apt-get install prometheus).',
  );
  return { passed: 0, failed: 0, skipped: 1 };
}

/**
 * Every proof at its small size, in one test; side by side, because most of their time is waiting.
 */
async function smallProofs() {
  return counted(await exitCode(startNode('trials/src/main.ts', ['--together', '3'])));
}

async function bytes() {
  await ensureWebBuilt();
  return counted(await exitCode(startNode('scripts/bytes.mjs')));
}

/** Every bench at its smallest size, in one test: that it runs, not what it measures. */
async function smallBenches() {
  return counted(await exitCode(startNode('trials/src/bench/main.ts', ['small'])));
}

/**
 * @param {string[]} which files of `e2e/`, or options of Playwright
 * @param {Record<string, string>} [env]
 */
async function browserTests(which, env = {}) {
  await ensureWebBuilt();
  const { executablePath, source } = await findBrowser();
  say(`Browser: ${executablePath} (from ${source})`);
  const report = join(reports, 'browser.json');
  const child = startNode(
    'node_modules/@playwright/test/cli.js',
    ['test', ...which, '--reporter=list,json'],
    {
      cwd: join(root, 'e2e'),
      env: {
        PORTAL_CHROMIUM: executablePath,
        PORTAL_CHROMIUM_ARGS: browserArgs.join(' '),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      },
    },
  );
  const code = await exitCode(child);
  const result = read(report);
  const { expected, unexpected, flaky, skipped } = result.stats ?? {};
  return ofRunner('playwright', code, {
    passed: expected,
    failed: unexpected + flaky,
    skipped,
    titles: (result.suites ?? []).flatMap(failedIn),
  });
}

/**
 * @typedef {{ title: string, file: string, tests: { projectName: string, status: string }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 */

/**
 * The failed tests of a suite in Playwright's report, as "file: title (project)". A spec's own `ok`
 * is that of its first project.
 * @param {Suite} suite
 * @returns {string[]}
 */
function failedIn({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName }) => `${file}: ${title} (${projectName})`),
  );
  return [...own, ...suites.flatMap(failedIn)];
}

/** @param {number} code */
function counted(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * The runner's own count; that it ran nothing, or ended badly for another reason than a test, is
 * one failure more.
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
      `${error instanceof Trouble ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    return counted(1);
  });
  say(`${name} ${count.failed === 0 ? 'passed' : 'FAILED'} (${since(begun)})`);
  return count;
}

/**
 * Runs steps and prints the counts of their tests; the process ends with 1 when one has failed.
 * @param {Step[]} wanted
 */
export async function runSteps(wanted) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const failedSteps = [];
  /** @type {string[]} */
  const titles = [];
  /** @param {Iterable<Step>} some */
  const runAll = async (some) => {
    for (const step of some) {
      if (isInterrupted) throw new Trouble('Interrupted.');
      const count = await runStep(step);
      if (count.failed > 0) failedSteps.push(step.name);
      titles.push(...(count.titles ?? []).map((title) => `${step.name}: ${title}`));
      total.passed += count.passed;
      total.failed += count.failed;
      total.skipped += count.skipped;
    }
  };
  /** @param {Step['phase']} phase */
  const of = (phase) => wanted.filter((step) => step.phase === phase).values();
  const parallel = of('parallel');
  await Promise.all([runAll(parallel), runAll(parallel)]);
  await runAll(of('asked'));
  await runAll(of('alone'));
  if (isInterrupted) throw new Trouble('Interrupted.');
  // Last, where a log whose middle was left out still has them.
  for (const title of titles) say(title);
  if (failedSteps.length > 0) say(`Failed: ${failedSteps.join(', ')}`);
  console.log(
    `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
  );
  if (total.failed > 0) process.exitCode = 1;
}
