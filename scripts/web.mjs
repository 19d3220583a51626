import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exitCode, startNode } from './run.mjs';
import { Trouble, isStarted, main, say, since } from './say.mjs';
import { ensureInstalled, ensureWritable, root } from './setup.mjs';

/**
 * What is built, each into the `dist` of its folder, from what, and in which languages.
 * @typedef {{ name: string, folder: string, inputs: string[], languages: string[] }} Build
 * @type {Build[]}
 */
const builds = [
  {
    name: 'portal',
    folder: 'web',
    inputs: ['web', 'contract/src', 'language', 'package-lock.json'],
    languages: ['en', 'es'],
  },
  {
    name: 'office',
    folder: 'office',
    inputs: [
      ...['office', 'contract/src', 'language', 'web/src/brand', 'web/vite-precompress.ts'],
      'package-lock.json',
    ],
    languages: ['en'],
  },
];
const outputs = /^(node_modules|dist)$|\.tsbuildinfo$/;

/** Builds portal and office, unless what is in `dist` was built from the same files. */
export async function ensureWebBuilt() {
  await Promise.all(builds.map(ensureBuilt));
}

/** @param {Build} build */
async function ensureBuilt(build) {
  const folder = join(root, build.folder);
  const dist = join(folder, 'dist');
  const stamp = join(dist, '.inputs');
  const wanted = fingerprint(build);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  ensureWritable(folder, dist);
  const begun = Date.now();
  say(`Building the ${build.name}`);
  for (const language of build.languages) {
    const child = startNode('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'], {
      cwd: folder,
      env: { PORTAL_LANGUAGE: language },
    });
    if ((await exitCode(child)) !== 0)
      throw new Trouble(`The ${build.name} could not be built: the reason is above.`);
  }
  writeFileSync(stamp, wanted);
  say(`Built the ${build.name} in ${since(begun)}`);
}

/**
 * Names and content of all inputs, and what the environment says to the build.
 * @param {Build} build
 */
function fingerprint({ inputs }) {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, input);
  for (const name of Object.keys(process.env).sort()) {
    if (name.startsWith('VITE_') || name === 'CORPORATION_CODE')
      hash.update(`${name}=${process.env[name]}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path relative to the repo
 */
function addTo(hash, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) {
    hash.update(`${path} ${found.size}\n`).update(readFileSync(join(root, path)));
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (!outputs.test(name)) addTo(hash, `${path}/${name}`);
  }
}

// `npm run build`: for an operator who starts the server by itself.
if (isStarted(import.meta.url)) {
  await main(async () => {
    await ensureInstalled('start');
    await ensureWebBuilt();
  });
}
