import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faults, type Planted } from './faults.ts';

/**
 * Plants each recorded fault in a copy of the repository and runs what must find it: `npm run
 * plant`, or `npm run plant -- WORDS` for those with such a word in their name or in that of their
 * test. Each test is first run without a fault, where it must hold, but with `--quick`. Exits with
 * 1 when a fault is not found.
 */
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const isQuick = process.argv.includes('--quick');
const words = process.argv.slice(2).filter((word) => word !== '--quick');
const chosen = faults.filter(
  ({ name, by }) =>
    words.length === 0 ||
    words.some(
      (word) => name.includes(word) || Object.values(by).some((one) => isNamed(one, word)),
    ),
);
const copy = makeCopy();
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const clean = new Map<string, boolean>();
let found = 0;
for (const fault of chosen) {
  const begun = performance.now();
  const outcome = await plant(fault);
  if (outcome.startsWith('found')) found += 1;
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${outcome}: ${fault.name} (${Object.values(fault.by).join()}, ${seconds} s)`);
}
console.log(`${found} of ${chosen.length} planted faults are found`);
process.exitCode = found === chosen.length ? 0 : 1;

/** A trial by its name, a unit test by any part of its path. */
function isNamed(by: string, word: string): boolean {
  return by.split(' ')[0] === word || (word.length > 3 && by.includes(word));
}

async function plant({ file, find, replace, by }: Planted): Promise<string> {
  const path = pathOf(file, find);
  if (path === null) return 'NOT PLANTED, no one such file has the text once';
  const before = readFileSync(path, 'utf8');
  const key = JSON.stringify(by);
  if (!clean.has(key)) clean.set(key, isQuick || (await run(by)).code === 0);
  if (clean.get(key) === false) return 'NOT RUN, fails without a fault';
  writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  try {
    const { code, output } = await run(by);
    if (code === 0) return 'NOT FOUND';
    const why = /^ *(?:FAIL|×|DOES NOT HOLD).*$/m.exec(output)?.[0].trim();
    return why === undefined ? `found by an error, ${lastLine(output)}` : `found, ${why}`;
  } finally {
    writeFileSync(path, before);
  }
}

function lastLine(output: string): string {
  return /^.*Error.*$/m.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
}

async function run(by: Planted['by']): Promise<{ code: number; output: string }> {
  const args =
    'unit' in by
      ? ['node_modules/vitest/vitest.mjs', 'run', by.unit]
      : ['trials/src/main.ts', ...by.trial.split(' ')];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number>((done) => child.on('close', (code) => done(code ?? 1)));
  return { code, output };
}

/** Tracked and new files; what is installed is linked, but for the links to our own folders. */
function makeCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-planted-'));
  const listed = ['ls-files', '-co', '--exclude-standard', '-z'];
  for (const file of execFileSync('git', listed, { cwd: repository, encoding: 'utf8' }).split(
    '\0',
  )) {
    if (file === '' || !existsSync(join(repository, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file), { verbatimSymlinks: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    const [from, to] = [join(repository, 'node_modules', name), join(folder, 'node_modules', name)];
    if (name === '@gatehouse') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.vite')) symlinkSync(from, to);
  }
  for (const workspace of ['server', 'web']) {
    const from = join(repository, workspace, 'node_modules');
    if (existsSync(from)) symlinkSync(from, join(folder, workspace, 'node_modules'));
  }
  return folder;
}

/** The one file, in the copy, whose path ends so and which has the text once. */
function pathOf(end: string, text: string): string | null {
  const all = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).split('\n');
  const [only, ...others] = all
    .filter((file) => `/${file}`.endsWith(`/${end}`))
    .map((file) => join(copy, file))
    .filter((path) => readFileSync(path, 'utf8').split(text).length === 2);
  return only === undefined || others.length > 0 ? null : only;
}
