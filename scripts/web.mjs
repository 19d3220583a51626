import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exitCode, startNode } from './run.mjs';
import { Trouble, isStarted, main, say, since } from './say.mjs';
import { ensureInstalled, ensureWritable, root } from './setup.mjs';

const web = join(root, 'web');
const dist = join(web, 'dist');
const stamp = join(dist, '.inputs');
const inputs = ['web', 'contract/src', 'package-lock.json'];
const outputs = /^(node_modules|dist)$|\.tsbuildinfo$/;

/** Builds the portal, unless what is in web/dist was built from the same files. */
export async function ensureWebBuilt() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  ensureWritable(web, dist);
  const begun = Date.now();
  say('Building the portal');
  const child = startNode('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'], {
    cwd: web,
  });
  if ((await exitCode(child)) !== 0)
    throw new Trouble('The portal could not be built: the reason is above.');
  writeFileSync(stamp, wanted);
  say(`Built the portal in ${since(begun)}`);
}

/** Names and content of all inputs, and what the environment says to the build. */
function fingerprint() {
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

// `npm run build`: for who starts the server by itself.
if (isStarted(import.meta.url)) {
  await main(async () => {
    await ensureInstalled();
    await ensureWebBuilt();
  });
}
