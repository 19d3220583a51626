import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { openSite } from '../harness/site.ts';
import { ensureWebBuilt } from '../../../scripts/web.mjs';
import { secretsIn } from './secrets.ts';

const run = promisify(execFile);
const root = new URL('../../../', import.meta.url);
const dist = new URL('web/dist/', root);

/** Files whose business is what a secret looks like, or that hold made-up ones. */
const MADE_UP =
  /\.(test|spec|fixture)\.tsx?$|^(server\/test|trials|ops\/failover|e2e)\/|^contract\/src\/(session|registration)\.ts$/;

type Package = { version?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean };
type Manifest = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string> | undefined
> & {
  workspaces?: string[];
  allowScripts?: Record<string, boolean>;
};

/** T24: what we depend on and what we ship: the built portal, which is built where it is not. */
export const supplyChain: Proof = {
  name: 'T24',
  title:
    'Packages, secrets in the source and in the bundle, source maps, and the scripts that a page names',
  sizes: { small: {}, full: {} },
  async run(_size, _seed, stage) {
    await ensureWebBuilt();
    await using site = await openSite(stage);
    return [
      ...(await packageFigures()),
      ...(await sourceFigures(stage.say)),
      ...(await bundleFigures(stage.say)),
      ...(await servedFigures(site.addresses[0]!, stage.say)),
    ];
  },
};

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8')) as T; // npm's own files
}

async function packageFigures(): Promise<Figure[]> {
  const [own, lock, installed] = await Promise.all([
    json<Manifest>('package.json'),
    json<{ packages: Record<string, Package> }>('package-lock.json'),
    json<{ packages: Record<string, Package> }>('node_modules/.package-lock.json'),
  ]);
  const isForeign = ([path, { link }]: [string, Package]) =>
    path.includes('node_modules/') && link !== true;
  const locked = Object.entries(lock.packages).filter(isForeign);
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const allowed = own.allowScripts ?? {};
  const unsaid = withScript.filter(
    ([path]) => !Object.hasOwn(allowed, path.replace(/^.*node_modules\//, '')),
  );
  const other = Object.entries(installed.packages)
    .filter(isForeign)
    .filter(([path, { integrity }]) => lock.packages[path]?.integrity !== integrity);
  const manifests = await Promise.all(
    (own.workspaces ?? []).map((folder) => json<Manifest>(`${folder}/package.json`)),
  );
  const asked = [own, ...manifests].flatMap(
    ({ dependencies, devDependencies, optionalDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  );
  const loose = asked.filter(([name, version]) => !isExact(name, version));
  return [
    mustBeAtLeast('packages in the lock file', locked.length, 100),
    mustBe(
      'without a sha512 of their content',
      locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).length,
      0,
    ),
    mustBe('installed otherwise than the lock file says', other.length, 0),
    mustBe('asked for by anything but one exact version', loose.length, 0),
    reported('with a script at the install', withScript.length),
    mustBe('of those, scripts without a decision', unsaid.length, 0),
    mustBe('of those, scripts that may run', Object.values(allowed).filter(Boolean).length, 0),
  ];
}

function isExact(name: string, version: string): boolean {
  return (
    /^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ||
    (name.startsWith('@gatehouse/') && version === '*')
  );
}

/** The files that the repository keeps. */
async function sourceFigures(say: (line: string) => void): Promise<Figure[]> {
  const { stdout } = await run('git', ['ls-files'], { cwd: root, maxBuffer: 1 << 26 });
  const files = stdout.split('\n').filter((file) => file !== '' && !MADE_UP.test(file));
  let secrets = 0;
  for (const file of files) {
    const found = secretsIn(await readFile(new URL(file, root), 'utf8').catch(() => ''));
    secrets += found.length;
    for (const kind of found) say(`  ${file}: ${kind}`);
  }
  const maps = files.filter((file) => file.endsWith('.map') || /(^|\/)\.env$/.test(file));
  return [
    mustBeAtLeast('files of the repository', files.length, 300),
    mustBe('secrets in them', secrets, 0),
    mustBe('source maps and environments among them', maps.length, 0),
  ];
}

async function bundleFigures(say: (line: string) => void): Promise<Figure[]> {
  const names = await readdir(dist, { recursive: true });
  const texts = names.filter((name) => /\.(js|css|html|svg|json|txt|webmanifest)$/.test(name));
  let secrets = 0;
  let mapped = 0;
  for (const name of texts) {
    const text = await readFile(new URL(name, dist), 'utf8');
    const found = secretsIn(text);
    secrets += found.length;
    for (const kind of found) say(`  web/dist/${name}: ${kind}`);
    if (text.includes('sourceMappingURL')) mapped += 1;
  }
  return [
    mustBeAtLeast('files of the bundle with text', texts.length, 20),
    mustBe('secrets in the bundle', secrets, 0),
    mustBe('source maps in the bundle', names.filter((name) => name.endsWith('.map')).length, 0),
    mustBe('files that name a source map', mapped, 0),
  ];
}

/**
 * Each script that a page names is one of the build's, to the byte, and each inline one is named by
 * the page's policy.
 */
async function servedFigures(address: string, say: (line: string) => void): Promise<Figure[]> {
  const assets = (await readdir(new URL('assets/', dist))).filter((name) =>
    /\.(js|css)$/.test(name),
  );
  const built = new Map<string, string>();
  for (const name of assets)
    built.set(`/assets/${name}`, sha256(await readFile(new URL(`assets/${name}`, dist))));
  let [pages, named, strange, inline, unnamed] = [0, 0, 0, 0, 0];
  for (const path of ['/login', '/', '/billing-info', '/forgot-password', '/nothing-of-the-kind']) {
    const response = await fetch(`${address}${path}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    const html = await response.text();
    pages += 1;
    for (const [, attributes = '', text = ''] of html.matchAll(
      /<script([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      const source = /\bsrc="([^"]*)"/.exec(attributes)?.[1];
      if (source === undefined) {
        inline += 1;
        if (policy.includes(`'sha256-${sha256(Buffer.from(text))}'`)) continue;
        unnamed += 1;
        say(`  ${path}: an inline script that the policy does not name`);
      } else {
        named += 1;
        const sent = sha256(
          Buffer.from(await (await fetch(new URL(source, address))).arrayBuffer()),
        );
        const promised = /\bintegrity="sha256-([^"]*)"/.exec(attributes)?.[1] ?? sent;
        if (source.startsWith('/') && built.get(source) === sent && promised === sent) continue;
        strange += 1;
        say(`  ${path}: ${source}`);
      }
    }
  }
  return [
    reported('pages', pages),
    mustBeAtLeast('scripts that they name', named, pages),
    mustBe('of those, not from here or not as they were built', strange, 0),
    mustBeAtLeast('inline scripts', inline, pages),
    mustBe('of those, without a hash in the page’s policy', unnamed, 0),
  ];
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}
