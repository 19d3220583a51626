import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireAccess } from './access.ts';
import { type Beyond, pageHeaders, registerHeaders } from './headers.ts';
import { registerLanguageLinks } from './language-links.ts';
import { type Pages, portalFault, readPages } from './pages.ts';
import { registerPortal } from './portal.ts';

const pages: Pages = {
  files: { '/': 'index.html', '/login': 'login.html' },
  below: { '/pay/': 'pay.html' },
  otherwise: 'page.html',
  corporationCode: 'ANCHOR',
  scripts: ['sha256-c2NyaXB0'],
  style: 'sha256-c3R5bGU=',
};
let folder: string;
let app: FastifyInstance;

/** A built portal, and the server that serves it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-pages-'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite', 'pages.json'), JSON.stringify(pages));
  const spanish: Pages = {
    ...pages,
    files: { '/': 'es/index.html', '/login': 'es/login.html' },
    below: { '/pay/': 'es/pay.html' },
    otherwise: 'es/page.html',
  };
  await mkdir(join(folder, '.vite', 'es'));
  await writeFile(join(folder, '.vite', 'es', 'pages.json'), JSON.stringify(spanish));
  await mkdir(join(folder, 'es'));
  await mkdir(join(folder, 'assets'));
  const files = [
    ...Object.values(spanish.files),
    'es/pay.html',
    spanish.otherwise,
    'es/sw.js',
    ...Object.values(pages.files),
    'pay.html',
    pages.otherwise,
    'assets/part.js',
    'icon.svg',
    'sw.js',
    ...['pay.html.br', 'sw.js.br'],
  ];
  for (const name of files) await writeFile(join(folder, name), name);
  app = fastify();
  requireAccess(app, folder);
  registerHeaders(app);
  registerLanguageLinks(app, true);
  await registerPortal(app, folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

it('answers every path below /pay with one file, which is stored and listed nowhere', async () => {
  for (const url of ['/pay/rpt_x', '/pay/rpt_x/', '/pay/x?y=1']) {
    const { body, headers } = await app.inject(url);
    expect([url, body]).toEqual([url, 'pay.html']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toContain("'sha256-c3R5bGU='");
  }
  for (const url of ['/pay', '/pay/', '/pay/x/y', '/login/x'])
    expect((await app.inject(url)).body).toBe('page.html');
});

// spec 10.6
it('says of a compressed file the same as of the plain one', async () => {
  const headers = { 'accept-encoding': 'br' };
  const pay = await app.inject({ url: '/pay/rpt_x', headers });
  expect(pay.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-store' });
  const worker = await app.inject({ url: '/sw.js', headers });
  expect(worker.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
});

it.each([
  ['/', 'index.html'],
  ['/login', 'login.html'],
  ['/login/?from=mail', 'login.html'],
  ['/nothing-here', 'page.html'],
])('answers %s with %s, to be revalidated each time', async (url, file) => {
  const answer = await app.inject(url);
  expect(answer.body).toBe(file);
  expect(answer.headers['content-type']).toMatch(/^text\/html/);
  expect(answer.headers['cache-control']).toBe('no-cache');
});

// asvs 13.4.1, 13.4.3
it.each(['/login.html', '/assets/gone.js', '/api/nothing', '/.vite/pages.json'])(
  'answers no page for %s',
  async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  },
);

describe('the language of a page', () => {
  const bodyFor = async (headers: Record<string, string>, url = '/') =>
    (await app.inject({ url, headers })).body;

  // spec 10.73
  it.each([
    ['English where the browser asks for none', {}, 'index.html'],
    [
      'the one that the browser prefers',
      { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' },
      'es/index.html',
    ],
    [
      'never one that it only takes',
      { 'accept-language': 'en-US,en;q=0.9,es;q=0.1' },
      'index.html',
    ],
    ['English where it asks for others', { 'accept-language': 'fr-FR,fr;q=0.9' }, 'index.html'],
    ['English where it asks for nonsense', { 'accept-language': ';;;q=' }, 'index.html'],
    [
      'the one that was chosen here',
      { 'accept-language': 'es', cookie: 'language=en' },
      'index.html',
    ],
    ['also Spanish', { 'accept-language': 'en', cookie: 'a=b; language=es' }, 'es/index.html'],
    [
      'what the browser prefers where the cookie has another',
      { cookie: 'language=../x' },
      'index.html',
    ],
  ])('is %s', async (_, headers, file) => {
    expect(await bodyFor(headers)).toBe(file);
  });

  it('is said to depend on the cookie and the browser, and each has its own policy', async () => {
    const { headers, body } = await app.inject({
      url: '/login',
      headers: { cookie: 'language=es' },
    });
    expect(body).toBe('es/login.html');
    expect(headers['vary']).toBe('accept-encoding, accept-language, cookie');
    expect(headers['content-security-policy']).toContain("'sha256-c3R5bGU='");
  });

  it('is that of a pay link too, which is stored nowhere, and of the service worker', async () => {
    const headers = { cookie: 'language=es' };
    const pay = await app.inject({ url: '/pay/rpt_x', headers });
    expect(pay.body).toBe('es/pay.html');
    expect(pay.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    const worker = await app.inject({ url: '/sw.js', headers });
    expect(worker.body).toBe('es/sw.js');
    expect(worker.headers['content-security-policy']).toContain("default-src 'none'");
    // So that no browser takes the worker of one language for that of the other.
    expect(worker.headers).not.toHaveProperty('etag');
    expect(worker.headers).not.toHaveProperty('last-modified');
  });

  // spec 10.73
  it('is chosen by a link, which leads back to a page of ours and nowhere else', async () => {
    for (const [url, leadsTo] of [
      ['/es/', '/'],
      ['/es/billing-info', '/billing-info'],
      ['/es/billing-info?ledger=7d1f0a86-3c55', '/billing-info?ledger=7d1f0a86-3c55'],
      ['/en/pay/rpt_x-1', '/pay/rpt_x-1'],
      ['/es//evil.example', '/'],
      ['/es/%2Fevil.example', '/'],
      ['/es/%5Cevil.example', '/'],
      ['/es/a%2F%2E%2E%2F%2Fevil', '/'],
      ['/es/login//evil', '/'],
      ['/es/login?next=//evil.example', '/login'],
    ] as const) {
      const { statusCode, headers } = await app.inject(url);
      expect([url, statusCode, headers['location']]).toEqual([url, 303, leadsTo]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toBe(
        `language=${url.slice(1, 3)}; Path=/; Max-Age=31536000; SameSite=Lax; Secure`,
      );
    }
  });
});

it('serves a file of the portal to anybody', async () => {
  expect((await app.inject('/assets/part.js')).statusCode).toBe(200);
});

/** The page policy, with the hashes of the build in it. */
const exact =
  "default-src 'none'; script-src 'self' 'sha256-c2NyaXB0'; style-src 'self' 'sha256-c3R5bGU='; img-src 'self' blob: data:; " +
  "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-src 'none'; " +
  "frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'; require-trusted-types-for 'script'; trusted-types service-worker; " +
  'report-to csp';

// asvs 3.4.3, 3.7.1
it('sends the exact policy with every page: script and style by their hashes, and an endpoint for reports', async () => {
  for (const url of ['/', '/login', '/nothing-here']) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy']).toBe(exact);
    expect(headers['reporting-endpoints']).toBe('csp="/api/policy-reports"');
  }
});

it('upgrades requests only where tenants use https: on this machine upgraded requests would fail', () => {
  const { 'content-security-policy': policy } = pageHeaders(pages, { isHttps: true });
  expect(policy).toBe(exact.replace('report-to csp', 'upgrade-insecure-requests; report-to csp'));
});

// asvs 3.4.6
it('lets an answer that is not a page load nothing and run nothing', async () => {
  for (const url of ['/assets/part.js', '/icon.svg', '/assets/gone.js', '/api/nothing']) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy'], url).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers, url).not.toHaveProperty('reporting-endpoints');
  }
});

/** The directives of the page's policy. */
function policyOf(beyond: Beyond): string[] {
  return pageHeaders(pages, beyond)['content-security-policy']!.split('; ');
}

it('allows exactly what Stripe’s card fields need where the portal uses them', async () => {
  const own = policyOf({});
  expect(policyOf({ hostedFields: 'stripe' }).filter((part) => !own.includes(part))).toEqual([
    "script-src 'self' 'sha256-c2NyaXB0' https://js.stripe.com",
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    'trusted-types service-worker stripe-js',
  ]);
  const hosted = fastify();
  registerHeaders(hosted, { hostedFields: 'stripe' });
  const [opener, hostedOpener] = [
    (await app.inject('/')).headers,
    (await hosted.inject('/')).headers,
  ].map((headers) => headers['cross-origin-opener-policy']);
  expect([opener, hostedOpener]).toEqual(['same-origin', 'same-origin-allow-popups']);
  await hosted.close();
});

it('allows nothing of that otherwise, with an error sink or without', () => {
  for (const beyond of [
    {},
    { hostedFields: null },
    { sentryDsn: 'https://key@errors.example.com/1' },
  ]) {
    const policy = policyOf(beyond);
    expect(policy.join(';')).not.toContain('stripe');
    expect(policy).toEqual(
      expect.arrayContaining([
        "frame-src 'none'",
        'trusted-types service-worker',
        "object-src 'none'",
      ]),
    );
  }
  expect(policyOf({ sentryDsn: 'https://key@errors.example.com/1' })).toContain(
    "connect-src 'self' https://errors.example.com",
  );
});

it('has no pages where the portal is not built', async () => {
  expect(readPages(join(folder, 'nowhere'))).toBeNull();
  const bare = fastify();
  await registerPortal(bare, join(folder, 'nowhere'));
  expect((await bare.inject('/')).statusCode).toBe(404);
  await bare.close();
});

it('reports a portal that was built for another operator', () => {
  expect(portalFault('ANCHOR', folder)).toBeNull();
  expect(portalFault('BRSTOR', folder)).toBe(
    'The portal was built for the operator ANCHOR, and CORPORATION_CODE is BRSTOR: build it again with CORPORATION_CODE=BRSTOR npm run build.',
  );
  expect(portalFault('BRSTOR', join(folder, 'nowhere'))).toBeNull();
});
