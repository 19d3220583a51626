import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble, isStarted, main } from './say.mjs';
import { ensureInstalled, root } from './setup.mjs';
import { ensureWebBuilt } from './web.mjs';

const dist = join(root, 'web', 'dist');

/** Where Stripe's fields are in the portal, its script may run too (server/src/http/headers.ts). */
const STRIPE = 'https://js.stripe.com';

/** Where in the build the files of each language are that have the same address in all. */
const folders = { en: '', es: 'es/' };

/**
 * Compares what a server sends tenants with what these sources build: every page in each language,
 * every file, and which scripts the pages' policy lets run (after PCI 11.6.1). Two builds of the
 * same sources are the same bytes, so no list of hashes has to be kept.
 * @param {string} address of the portal
 * @returns {Promise<{ compared: number, differences: string[] }>}
 */
export async function compare(address) {
  /** @type {string[]} */
  const differences = [];
  let compared = 0;
  for (const [language, folder] of Object.entries(folders)) {
    const sent = await compareLanguage(address, language, folder);
    compared += sent.compared;
    differences.push(...sent.differences);
  }
  return { compared, differences };
}

/**
 * @param {string} address
 * @param {string} language
 * @param {string} folder
 */
async function compareLanguage(address, language, folder) {
  /**
   * @type {{ files: Record<string, string>, otherwise: string, scripts: string[], style: string }}
   */
  const pages = JSON.parse(readFileSync(join(dist, '.vite', folder, 'pages.json'), 'utf8'));
  const files = filesOf(folder);
  const asked = [
    ...Object.entries({ ...pages.files, '/no-such-page': pages.otherwise }),
    ...files.map((file) => [`/${file.slice(folder.length)}`, file]),
  ];
  /** @type {string[]} */
  const differences = [];
  for (const [path = '', file = ''] of asked) {
    const page = folder === '' ? path : `${path} (${language})`;
    const answer = await fetch(new URL(path, address), {
      redirect: 'manual',
      headers: { cookie: `language=${language}` },
    });
    const sent = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) differences.push(`${page} answers ${answer.status}`);
    else if (!sent.equals(readFileSync(join(dist, file))))
      differences.push(`${page} is not what is built here`);
    if (!file.endsWith('.html')) continue;
    const policy = policyOf(answer.headers.get('content-security-policy') ?? '');
    const quoted = (/** @type {string[]} */ hashes) => hashes.map((hash) => `'${hash}'`);
    const fields = policy.get('trusted-types')?.includes('stripe-js') ? [STRIPE] : [];
    const wanted = {
      'default-src': ["'none'"],
      'script-src': ["'self'", ...quoted(pages.scripts), ...fields],
      'style-src': ["'self'", ...quoted([pages.style])],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
    };
    for (const [directive, sources] of Object.entries(wanted)) {
      const said = policy.get(directive)?.join(' ') ?? 'nothing';
      if (said !== sources.join(' '))
        differences.push(`${page} has a policy with ${directive}: ${said}`);
    }
  }
  return { compared: asked.length, differences };
}

/**
 * All files but the pages: those of the language's folder, and with English all others.
 * @param {string} folder
 * @returns {string[]}
 */
function filesOf(folder) {
  return readdirSync(join(dist, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => !/(^\.|\.(html|br|gz)$)/.test(name))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dist.length + 1))
    .filter((file) => !file.startsWith('.vite') && file.startsWith('es/') === (folder === 'es/'));
}

/**
 * @param {string} header
 * @returns {Map<string, string[]>} the sources of each directive
 */
function policyOf(header) {
  const directives = header.split(';').map((text) => text.trim().split(/\s+/));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    const [address = ''] = process.argv.slice(2);
    if (!URL.canParse(address))
      throw new Trouble('Which portal? npm run compare -- https://portal.example.com');
    await ensureInstalled();
    await ensureWebBuilt();
    const { compared, differences } = await compare(address);
    if (differences.length > 0)
      throw new Trouble(`${address} differs from these sources.\n${differences.join('\n')}`);
    console.log(`${compared} pages and files of ${address} are what these sources build.`);
  });
}
