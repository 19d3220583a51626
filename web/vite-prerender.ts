import { createHash } from 'node:crypto';
import { folderOf } from '@gatehouse/language/folder';
import type { Language } from '@gatehouse/language/language';
import { inLanguage } from '@gatehouse/language/vite-language';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import type { Apart, Prerendered } from './src/app/prerender.tsx';
import { plainImports } from './vite-imports.ts';
import { phonesAsTyped } from './vite-phones.ts';

type Bundle = Parameters<
  Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>
>[1];

type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

/** What the server needs to know of the pages (server/src/http/pages.ts). */
type PageList = {
  corporationCode: string;
  files: Record<string, string>;
  /** The file of every path below this one, which is a secret. */
  below: Record<string, string>;
  otherwise: string;
  scripts: string[];
  style: string;
};

/** The hash of each file by its path. In an import map it holds for what is imported later too. */
type Sums = Map<string, string>;

/**
 * Makes an HTML file of every page of the route table: its screen or its frame, the style sheet,
 * the script that runs before the paint, and the hashes of all code. Also the list of the files,
 * with the hashes that the page policy allows.
 */
export function prerenderedPages(language: Language): Plugin {
  const folder = folderOf(language);
  let config: ResolvedConfig;
  return {
    name: 'prerendered-pages',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const { pages, notice, payPage, signPage, gatePage } = await renderPages(config, language);
        const style = takeAsset(bundle, sheetIn(bundle));
        const script = await beforePaint(config, language, pages);
        const sums = sumsOf(bundle);
        const map = JSON.stringify({ integrity: Object.fromEntries(sums) });
        const bare = withHead(takeAsset(bundle, 'index.html'), { script, map, style }).replace(
          '<div id="root">',
          (root) => `${notice}${root}`,
        );
        const list: PageList = {
          corporationCode: JSON.parse(String(config.define?.['__CORPORATION_CODE__'])) as string,
          files: {},
          below: { '/pay/': `${folder}pay.html`, '/sign/': `${folder}sign.html` },
          otherwise: `${folder}page.html`,
          scripts: [hashOf(script), hashOf(map)],
          style: hashOf(style),
        };
        const emit = (fileName: string, source: string) =>
          this.emitFile({ type: 'asset', fileName, source });
        for (const page of pages) {
          const fileName = `${folder}${page.path === '/' ? 'index' : page.path.slice(1)}.html`;
          list.files[page.path] = fileName;
          const chunks = chunksOf(bundle, ['main.tsx', ...page.modules]);
          const html = withPage(bare, page, loading(chunks, sums));
          emit(fileName, page.plan.side === 'tenant' ? withHomeScreen(html) : html);
        }
        const emitApart = async (name: string, apart: Apart) => {
          const chunk = await chunkApart(config, language, name);
          this.emitFile({ type: 'asset', fileName: chunk.fileName, source: chunk.code });
          const ownSums = new Map([[`/${chunk.fileName}`, hashOf(chunk.code)]]);
          const page = { ...apart, path: `/${name}`, isWhole: false };
          const whole = withPage(bare, page, loading([chunk], ownSums));
          emit(`${folder}${name}.html`, whole);
          return { whole, sums: ownSums };
        };
        await emitApart('pay', payPage);
        await emitApart('sign', signPage);
        const gate = await emitApart('gate', gatePage);
        list.files['/gate'] = `${folder}gate.html`;
        const gateSums: Sums = new Map([['/gate', hashOf(gate.whole)], ...gate.sums]);
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && file.fileName.endsWith('.woff2'))
            gateSums.set(`/${file.fileName}`, hashOf(file.source));
        const files = JSON.stringify(Object.fromEntries(gateSums));
        const worker = await scriptOf(config, language, 'src/gate/service-worker.ts', {
          __GATE_FILES__: files,
          __PAGES__: JSON.stringify(pages.map(({ path }) => path)),
          __VERSION__: JSON.stringify(hashOf(files).slice(-12)),
        });
        this.emitFile({ type: 'asset', fileName: `${folder}sw.js`, source: worker });
        emit(list.otherwise, withLoading(bare, loading(chunksOf(bundle, ['main.tsx']), sums)));
        this.emitFile({
          type: 'asset',
          fileName: `.vite/${folder}pages.json`,
          source: JSON.stringify(list),
        });
      },
    },
  };
}

async function renderPages(
  { root, define }: ResolvedConfig,
  language: Language,
): Promise<typeof import('./src/app/prerender.tsx')> {
  try {
    const { module } = await runnerImport<typeof import('./src/app/prerender.tsx')>(
      '/src/app/prerender.tsx',
      {
        root,
        configFile: false,
        logLevel: 'warn',
        plugins: [inLanguage(language)],
        ...(define && { define }),
      },
    );
    return module;
  } catch (error) {
    // A part that fails to load says so to a tenant; here its reason is asked for.
    throw error instanceof Error ? (error.cause ?? error) : error;
  }
}

/** The script in the HTML, with the table of the pages in it. */
async function beforePaint(
  config: ResolvedConfig,
  language: Language,
  pages: Prerendered[],
): Promise<string> {
  const plans = Object.fromEntries(pages.map(({ path, plan }) => [path, plan]));
  const script = await scriptOf(config, language, 'src/app/before-paint.ts', {
    __PAGE_PLANS__: JSON.stringify(plans),
  });
  return safely(script, '</script');
}

/** A classic script of its own: a file in src with all that it imports. */
async function scriptOf(
  { root, build: { target } }: ResolvedConfig,
  language: Language,
  entry: string,
  define: Record<string, string>,
): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define,
    plugins: [inLanguage(language)],
    build: { write: false, target, lib: { entry, formats: ['iife'], name: 'script' } },
  });
  return chunkIn(built, entry).code.trim();
}

/**
 * The code of a page apart from the portal (`src/pay`, `src/sign`, `src/gate`), one file and a
 * build of its own: what it shares with the portal stays out of the portal's chunks, and its hash
 * out of their pages.
 */
async function chunkApart(
  { root, define, build: { target } }: ResolvedConfig,
  language: Language,
  name: string,
): Promise<Chunk> {
  const entry = `src/${name}/main.tsx`;
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ...(define && { define }),
    plugins: [inLanguage(language), plainImports(), phonesAsTyped(), react()],
    build: {
      write: false,
      target,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        output: { codeSplitting: false, entryFileNames: `assets/${name}-[hash].js` },
      },
    },
  });
  return chunkIn(built, entry);
}

function chunkIn(built: Awaited<ReturnType<typeof build>>, entry: string): Chunk {
  const [output] = [built].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${entry} was built into nothing`);
  return chunk;
}

/** The file of the style sheet of the whole portal, which each page has in its HTML. */
function sheetIn(bundle: Bundle): string {
  const [sheet, ...more] = Object.keys(bundle).filter((name) => name.endsWith('.css'));
  if (sheet === undefined || more.length > 0) throw new Error('the portal has one style sheet');
  return sheet;
}

function takeAsset(bundle: Bundle, name: string): string {
  const asset = bundle[name];
  if (asset?.type !== 'asset') throw new Error(`the build has no ${name}`);
  Reflect.deleteProperty(bundle, name);
  return String(asset.source);
}

type Head = { script: string; map: string; style: string };

/**
 * The page without its content. What runs before the paint comes first, then what is loaded, then
 * the style sheet: each begins as early as it can. The hashes must come before the first module.
 */
function withHead(html: string, { script, map, style }: Head): string {
  return html
    .replace(
      /\s*<(link rel="(stylesheet|modulepreload)"|script type="module")[^>]*>(<\/script>)?/g,
      '',
    )
    .replace(/\s*<!--.*?-->/gs, '')
    .replace(
      '</title>',
      (end) =>
        `${end}\n    <script>${script}</script>\n    <script type="importmap">${map}</script>\n    <style>${safely(style, '</style')}</style>`,
    );
}

function withPage(
  bare: string,
  { path, title, html, isWhole }: Pick<Prerendered, 'path' | 'title' | 'html' | 'isWhole'>,
  loaded: string,
): string {
  const screen = isWhole ? ` data-screen="${path}"` : '';
  return withLoading(bare, loaded)
    .replace(/<title>[^<]*/, () => `<title>${title}`)
    .replace('<div id="root">', () => `<div id="root"${screen}>${html}`);
}

/**
 * Lets a phone put the portal on its home screen from here: only from a tenant's pages, which no
 * search engine describes.
 */
function withHomeScreen(html: string): string {
  return html
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(
      '</head>',
      () =>
        '<link rel="manifest" href="/portal.webmanifest"><link rel="apple-touch-icon" href="/icon-180.png"></head>',
    );
}

function withLoading(bare: string, loaded: string): string {
  return bare.replace('<style>', () => `${loaded}\n    <style>`);
}

/**
 * What loads the chunks, the largest first: it gets the connection that brought the page. The entry
 * is what runs.
 */
function loading(chunks: Chunk[], sums: Sums): string {
  return chunks
    .toSorted((a, b) => b.code.length - a.code.length)
    .map(({ isEntry, fileName }) => {
      // The map says the same; older browsers know only this.
      const whole = `integrity="${sums.get(`/${fileName}`)}"`;
      return isEntry
        ? `<script type="module" crossorigin ${whole} src="/${fileName}"></script>`
        : `<link rel="modulepreload" crossorigin ${whole} href="/${fileName}">`;
    })
    .join('\n    ');
}

function sumsOf(bundle: Bundle): Sums {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  return new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, hashOf(code)]));
}

/** The chunks of the given files in src, with all that they import. */
function chunksOf(bundle: Bundle, modules: string[]): Chunk[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const wanted = new Set<Chunk>();
  function add(chunk: Chunk | undefined, name: string): void {
    if (chunk === undefined)
      throw new Error(`the build has no chunk of ${name}, which a page needs first`);
    if (wanted.has(chunk)) return;
    wanted.add(chunk);
    for (const file of chunk.imports) {
      add(
        chunks.find(({ fileName }) => fileName === file),
        file,
      );
    }
  }
  for (const name of modules) {
    add(
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/src/${name}`))),
      name,
    );
  }
  return [...wanted];
}

/** Text in an element of the HTML must not close it. */
function safely(text: string, end: string): string {
  if (text.toLowerCase().includes(end)) throw new Error(`what goes into the HTML has ${end} in it`);
  return text;
}

/** As the page policy names an inline script or style, and `integrity` a file. */
function hashOf(bytes: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}
