import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Trouble, isStarted, main } from './say.mjs';
import { root } from './setup.mjs';

/**
 * Budgets in bytes of brotli (1 kB = 1000 bytes): what the HTML of a page loads at once, the HTML,
 * each later chunk.
 */
const budgets = {
  pages: [
    { name: '/login', html: 'login.html', limit: 81_500 },
    { name: '/', html: 'index.html', limit: 105_200 },
  ],
  // The same page differs by some 15 bytes from build to build, with its hashes.
  html: 14_000,
  lazyChunk: 20_000,
  /** Fetched when a signed-in page is idle, so that it is there when a dialog is opened. */
  whenIdle: 'dialogs',
  /**
   * Chunks that come after others. Error reporting is fetched when the page is idle, and only where
   * the operator has a sink for errors.
   */
  later: [
    {
      module: 'src/features/payments/payment-dialog.tsx',
      after: ['src/screens/billing-info.tsx'],
      // Two forms: the pay sheet, and the specification's flow; both say what is charged next.
      limit: 24_000,
    },
    { module: 'src/app/sentry.ts', after: [], limit: 50_000 },
    { module: 'src/app/sentry-replay.ts', after: ['src/app/sentry.ts'], limit: 40_000 },
    {
      module: 'src/features/payments/new-method-fields.tsx',
      after: ['src/features/payments/payment-dialog.tsx'],
      limit: 20_000,
    },
  ],
};

/** Spanish texts are a third longer, and a page is mostly code. */
const SPANISH = 1.03;

/**
 * @typedef {{ file: string, src?: string, name?: string, imports?: string[], dynamicImports?:
 * string[], isDynamicEntry?: boolean }} Chunk
 * @typedef {{ what: string, bytes: number, limit: number }} Row
 */

const dist = join(root, 'web', 'dist');

/**
 * What each page loads first, and what each lazy chunk adds to it, in English.
 * @returns {Row[]}
 */
export function measureBytes() {
  return measureLanguage('', 1);
}

/**
 * The same in Spanish, whose texts are longer.
 * @returns {Row[]}
 */
export function measureSpanish() {
  return measureLanguage('es/', SPANISH);
}

/**
 * @param {string} folder where in the build the language's own files are, with its slash
 * @param {number} more how many times the bytes of English it may have
 * @returns {Row[]}
 */
function measureLanguage(folder, more) {
  const manifestFile = join(dist, '.vite', folder, 'manifest.json');
  if (!existsSync(manifestFile))
    throw new Trouble('web/dist has no manifest: build the portal first with npm start.');
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const pages = budgets.pages.map(({ name, html, limit }) => ({
    name,
    limit,
    files: scriptsIn(`${folder}${html}`),
  }));
  const [login = [], signedIn = []] = pages.map(({ files }) => files);
  const visitors = visitorScreens();
  const dialogs = Object.keys(manifest).filter((key) => manifest[key]?.name === budgets.whenIdle);
  const lazy = Object.entries(manifest)
    .filter(
      ([, { isDynamicEntry, file }]) => isDynamicEntry && ![...login, ...signedIn].includes(file),
    )
    .map(([key]) => {
      const { after, limit } = budgets.later.find(({ module }) => module === key) ?? {
        after: [],
        limit: budgets.lazyChunk,
      };
      // A lazy chunk adds to what '/' has loaded; a visitor's screen, to what '/login' has.
      const loaded = [
        ...(visitors.includes(key) ? login : signedIn),
        ...withImports(manifest, dialogs),
        ...withImports(manifest, after),
      ];
      const added = withImports(manifest, [key]).filter((file) => !loaded.includes(file));
      return { what: key, bytes: sum(added), limit };
    });
  const documents = readdirSync(join(dist, folder)).filter((name) => name.endsWith('.html'));
  const rows = [
    ...pages.map(({ name, files, limit }) => ({
      what: `first load of ${name}`,
      bytes: sum(files),
      limit,
    })),
    ...documents.map((name) => ({
      what: `${name} with its style`,
      bytes: sum([`${folder}${name}`]),
      limit: budgets.html,
    })),
    ...lazy,
  ];
  return rows.map(({ what, bytes, limit }) => ({
    what: `${what}${folder && ` (${folder.slice(0, -1)})`}`,
    bytes,
    limit: Math.round(limit * more),
  }));
}

/**
 * A browser asks an HTTP/1.1 server for as many files at once; the next would wait for the largest.
 */
const MOST_FILES = 6;

/**
 * The JavaScript files that a page asks for at once; all that they import is among them.
 * @param {string} html
 * @returns {string[]}
 */
function scriptsIn(html) {
  const text = readFileSync(join(dist, html), 'utf8');
  const files = [...text.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) =>
    String(file),
  );
  if (files.length > MOST_FILES)
    throw new Trouble(
      `${html} asks for ${files.length} files first: group them in web/vite.config.ts, ${files.join(', ')}.`,
    );
  return files;
}

/**
 * The screens that the visitors' half of the route table imports.
 * @returns {string[]}
 */
function visitorScreens() {
  const routes = readFileSync(join(root, 'web', 'src', 'app', 'routes.ts'), 'utf8');
  const half = /visitorRoutes: Route\[\] = \[(.*?)\n\];/s.exec(routes)?.[1];
  if (half === undefined)
    throw new Trouble('scripts/bytes.mjs finds no visitorRoutes in web/src/app/routes.ts.');
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
    if (!chunk) throw new Trouble(`The build has no chunk of ${key}, which it names itself.`);
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
    const rows = [...measureBytes(), ...measureSpanish()].sort(
      (a, b) => b.limit - a.limit || b.bytes - a.bytes,
    );
    const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
    for (const { what, bytes, limit } of rows) {
      console.log(`${bytes > limit ? 'OVER' : '  ok'} ${kB(bytes)} of ${kB(limit)}  ${what}`);
    }
    const over = rows.filter(({ bytes, limit }) => bytes > limit);
    if (over.length > 0)
      throw new Trouble(`Over the byte budget: ${over.map(({ what }) => what).join(', ')}.`);
  });
}
