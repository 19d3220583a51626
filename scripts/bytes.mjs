import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Trouble, isStarted, main } from './say.mjs';
import { root } from './setup.mjs';

/** Budgets in bytes of brotli (1 kB = 1000 bytes); names are those of Vite's manifest. */
const budgets = {
  pages: [
    { name: '/login', modules: ['index.html', 'src/screens/login.tsx'], limit: 80_000 },
    { name: '/', modules: ['index.html', 'src/screens/my-units.tsx', 'src/app/signed-in.tsx'], limit: 115_000 },
  ],
  lazyChunk: 20_000,
};

/**
 * @typedef {{ file: string, src?: string, name?: string, imports?: string[], dynamicImports?: string[], isDynamicEntry?: boolean }} Chunk
 * @typedef {{ what: string, bytes: number, limit: number }} Row
 */

const dist = join(root, 'web', 'dist');

/**
 * What each page loads first, and what each lazy chunk adds to it.
 * @returns {Row[]}
 */
export function measureBytes() {
  const manifestFile = join(dist, '.vite', 'manifest.json');
  if (!existsSync(manifestFile)) throw new Trouble('web/dist has no manifest: build the portal first with npm start.');
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const pages = budgets.pages.map(({ name, modules, limit }) => ({
    name,
    limit,
    files: withImports(manifest, modules),
  }));
  const [login = [], signedIn = []] = pages.map(({ files }) => files);
  const visitors = visitorScreens();
  const first = budgets.pages.flatMap(({ modules }) => modules);
  const lazy = Object.entries(manifest)
    .filter(([key, { isDynamicEntry, file }]) => isDynamicEntry && !first.includes(key) && file.endsWith('.js'))
    .map(([key]) => {
      // A lazy chunk adds to what '/' has loaded; a visitor's screen, to what '/login' has.
      const loaded = visitors.includes(key) ? login : signedIn;
      const added = withImports(manifest, [key]).filter((file) => !loaded.includes(file));
      return { what: key, bytes: sum(added), limit: budgets.lazyChunk };
    });
  return [
    ...pages.map(({ name, files, limit }) => ({ what: `first load of ${name}`, bytes: sum(files), limit })),
    ...lazy,
  ];
}

/**
 * The screens that the visitors' half of the route table imports.
 * @returns {string[]}
 */
function visitorScreens() {
  const routes = readFileSync(join(root, 'web', 'src', 'app', 'routes.ts'), 'utf8');
  const half = /visitorRoutes: Route\[\] = \[(.*?)\n\];/s.exec(routes)?.[1];
  if (half === undefined) throw new Trouble('scripts/bytes.mjs finds no visitorRoutes in web/src/app/routes.ts.');
  return [...half.matchAll(/import\('#(screens\/[^']+)'\)/g)].map(([, screen]) => `src/${screen}`);
}

/**
 * @param {Record<string, Chunk>} manifest
 * @param {string[]} keys
 * @param {string[]} [files]
 * @returns {string[]} the JavaScript files of the modules and of all that they import statically
 */
function withImports(manifest, keys, files = []) {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Trouble(`The build has no chunk of ${key}, which a budget in scripts/bytes.mjs names.`);
    if (files.includes(chunk.file)) continue;
    if (chunk.file.endsWith('.js')) files.push(chunk.file);
    withImports(manifest, chunk.imports ?? [], files);
  }
  return files;
}

/** @param {string[]} files */
function sum(files) {
  return files.reduce((total, file) => total + brotliSize(file), 0);
}

/** @param {string} file */
function brotliSize(file) {
  const content = readFileSync(join(dist, file));
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    const rows = measureBytes().sort((a, b) => b.limit - a.limit || b.bytes - a.bytes);
    const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
    for (const { what, bytes, limit } of rows) {
      console.log(`${bytes > limit ? 'OVER' : '  ok'} ${kB(bytes)} of ${kB(limit)}  ${what}`);
    }
    const over = rows.filter(({ bytes, limit }) => bytes > limit);
    if (over.length > 0) throw new Trouble(`Over the byte budget: ${over.map(({ what }) => what).join(', ')}.`);
  });
}
