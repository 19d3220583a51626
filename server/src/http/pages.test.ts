import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requireAccess } from './access.ts';
import { registerHeaders, type Beyond } from './headers.ts';
import { type Pages, readPages } from './pages.ts';
import { registerPortal } from './portal.ts';

const pages: Pages = {
  files: { '/': 'index.html', '/login': 'login.html' },
  otherwise: 'page.html',
  scripts: ['sha256-c2NyaXB0'],
  styles: ['sha256-c3R5bGU='],
};
let folder: string;
let app: FastifyInstance;

/** A portal as the build leaves it, and the server that serves it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-pages-'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite', 'pages.json'), JSON.stringify(pages));
  for (const name of [...Object.values(pages.files), pages.otherwise]) await writeFile(join(folder, name), name);
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', 'app.js'), '');
  app = fastify();
  requireAccess(app, folder);
  await registerHeaders(app, readPages(folder));
  await registerPortal(app, folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

it.each([
  ['/', 'index.html'],
  ['/login', 'login.html'],
  ['/login/?from=mail', 'login.html'],
  ['/nothing-here', 'page.html'],
])('answers %s with %s, to be asked for anew each time', async (url, file) => {
  const answer = await app.inject(url);
  expect(answer.body).toBe(file);
  expect(answer.headers['content-type']).toMatch(/^text\/html/);
  expect(answer.headers['cache-control']).toBe('no-cache');
});

it.each(['/login.html', '/assets/gone.js', '/api/nothing', '/.vite/pages.json'])(
  'answers no page for %s',
  async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  },
);

it('serves a file of the portal to anybody', async () => {
  expect((await app.inject('/assets/app.js')).statusCode).toBe(200);
});

it("allows the pages' own script and style by their hashes, and nothing else inline", async () => {
  const policy = String((await app.inject('/')).headers['content-security-policy']);
  expect(policy).toContain("script-src 'self' 'sha256-c2NyaXB0'");
  expect(policy).toContain("style-src 'self' 'sha256-c3R5bGU='");
  expect(policy).not.toContain('unsafe');
});

/** The headers of the page, with the policy as a list of its parts. */
async function headersWith(beyond: Beyond): Promise<{ policy: string[]; opener: unknown }> {
  const bare = fastify();
  await registerHeaders(bare, null, beyond);
  const { headers } = await bare.inject('/');
  await bare.close();
  return {
    policy: String(headers['content-security-policy']).split(';'),
    opener: headers['cross-origin-opener-policy'],
  };
}

it('lets in exactly what Stripe’s card fields need where they stand in the portal', async () => {
  const { policy: own, opener } = await headersWith({});
  const { policy: hosted, opener: hostedOpener } = await headersWith({ hostedFields: 'stripe' });
  expect(hosted.filter((part) => !own.includes(part))).toEqual([
    "script-src 'self' https://js.stripe.com",
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    'trusted-types stripe-js',
  ]);
  expect([opener, hostedOpener]).toEqual(['same-origin', 'same-origin-allow-popups']);
});

it('lets in nothing of that otherwise, with an error sink or without', async () => {
  for (const beyond of [{}, { hostedFields: null }, { sentryDsn: 'https://key@errors.example.com/1' }]) {
    const { policy } = await headersWith(beyond);
    expect(policy.join(';')).not.toContain('stripe');
    expect(policy).toEqual(
      expect.arrayContaining(["script-src 'self'", "frame-src 'none'", "trusted-types 'none'", "object-src 'none'"]),
    );
  }
});

it('knows no page, and allows nothing inline, where the portal is not built', async () => {
  expect(readPages(join(folder, 'nowhere'))).toBeNull();
  const bare = fastify();
  await registerHeaders(bare, readPages(join(folder, 'nowhere')));
  await registerPortal(bare, join(folder, 'nowhere'));
  const answer = await bare.inject('/');
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['content-security-policy']).toContain("script-src 'self';");
  await bare.close();
});
