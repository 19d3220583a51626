import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trouble, isStarted, main, say } from './say.mjs';

/**
 * What every browser is started with. Not the list of @sparticuz/chromium: its --single-process
 * dies with the second context.
 */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const system = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/**
 * Finds a Chromium for the browser tests; the packages must be installed.
 * @returns {Promise<{ executablePath: string, source: string }>}
 */
export async function findBrowser() {
  const found =
    fromEnvironment() ?? (await fromPlaywright()) ?? fromSystem() ?? (await fromPackage());
  if (found) return found;
  throw new Trouble(
    'No browser was found for the tests: run "npx playwright install chromium --only-shell" or "apt-get install chromium-headless-shell", or name one in PORTAL_CHROMIUM.',
  );
}

function fromEnvironment() {
  for (const name of ['PORTAL_CHROMIUM', 'CHROME_PATH']) {
    const executablePath = process.env[name];
    if (!executablePath) continue;
    if (!existsSync(executablePath))
      throw new Trouble(`${name} names ${executablePath}, which does not exist.`);
    return { executablePath, source: name };
  }
  return undefined;
}

async function fromPlaywright() {
  const { chromium } = await import('@playwright/test');
  const executablePath = chromium.executablePath();
  return executablePath && existsSync(executablePath)
    ? { executablePath, source: 'Playwright' }
    : undefined;
}

function fromSystem() {
  const executablePath = system[/** @type {keyof typeof system} */ (process.platform)]?.find(
    existsSync,
  );
  return executablePath ? { executablePath, source: 'the system' } : undefined;
}

async function fromPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || usesMusl()) return undefined;
  // Set before the import: it makes the package unpack the shared libraries that a bare Debian
  // lacks.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x';
  const shared = process.env['TMPDIR'];
  const folder = privateFolder();
  // The package unpacks to fixed names in the temp folder, where others could have put theirs.
  process.env['TMPDIR'] = folder;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    useFonts(folder);
    if (runs(executablePath)) return { executablePath, source: '@sparticuz/chromium' };
    // An unpacking that was cut short leaves a torn file behind.
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    if (runs(await chromium.executablePath())) {
      useFonts(folder);
      return { executablePath, source: '@sparticuz/chromium' };
    }
  } finally {
    if (shared === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = shared;
  }
  return undefined;
}

/**
 * The package's own list of font folders does not know ours, and a browser without a font shows no
 * text: so the list is rewritten, with the system's folder for letters that the package's font
 * lacks.
 * @param {string} folder
 */
function useFonts(folder) {
  const list = join(folder, 'fonts.conf');
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`);
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  writeFileSync(
    list,
    `<?xml version="1.0"?>\n<fontconfig>${folders.join('')}${cache}</fontconfig>\n`,
  );
  process.env['FONTCONFIG_FILE'] = list;
}

function privateFolder() {
  const folder = join(tmpdir(), `gatehouse-browser-${process.getuid?.()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (lstatSync(folder).uid !== process.getuid?.())
    throw new Trouble(`${folder} belongs to another user: remove it.`);
  return folder;
}

/** @param {string} executablePath */
function runs(executablePath) {
  return spawnSync(executablePath, ['--version', '--no-sandbox']).status === 0;
}

function usesMusl() {
  return (
    existsSync('/etc/alpine-release') ||
    !readFileSync('/proc/self/maps', 'utf8').includes('libc.so.6')
  );
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    const { executablePath, source } = await findBrowser();
    say(`${executablePath} (from ${source})`);
  });
}
