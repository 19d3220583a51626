import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { subjects } from '@gatehouse/contract/endpoint';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { expect, test } from '../support/portal.ts';

test('the server’s answers', { tag: '@smoke' }, async ({ page }) => {
  await test.step('the server says that it is ready, and to tenants no more than that', async () => {
    const ready = await page.request.get('/readyz');
    expect(ready.status()).toBe(200);
    expect(await ready.json()).toEqual({ status: 'ok' });
    expect(await (await page.request.get('/metrics')).text()).not.toContain(
      'gatehouse_request_seconds',
    );
  });
  await test.step('a hashed asset comes compressed and is kept for ever; one that is gone is 404', async () => {
    const html = await (await page.request.get('/')).text();
    const [asset = ''] = /\/assets\/index-[^"]+\.js/.exec(html) ?? [];
    const answer = await page.request.get(asset, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.status()).toBe(200);
    expect(answer.headers()['content-encoding']).toBe('br');
    expect(answer.headers()['cache-control']).toContain('immutable');
    const gone = await page.request.get('/assets/index-gone.js');
    expect(gone.status()).toBe(404);
    expect(gone.headers()['content-type']).toMatch(/^application\/json/);
  });
  await test.step('the page is revalidated each time, and its policy lets no markup from data in', async () => {
    const { 'cache-control': kept, 'content-security-policy': policy } = (
      await page.request.get('/')
    ).headers();
    expect(kept).toBe('no-cache');
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("script-src 'self'");
  });
  await test.step('the icon of the page is the operator’s mark', async () => {
    await page.goto('/login');
    const icon = await page.request.get(
      (await page.locator('link[rel=icon]').getAttribute('href')) ?? '',
    );
    expect(icon.headers()['content-type']).toMatch(/^image\/svg\+xml/);
    expect(await icon.text()).toMatch(/^<svg .*fill="oklch/s);
  });
  await test.step('the API’s page says how to begin, and every call by its subject', async () => {
    await page.goto('/docs');
    await expect(page).toHaveTitle('Gatehouse API');
    const headings = page.getByRole('heading', { level: 2 });
    await expect(headings).toHaveText([
      'How to sign in',
      'A first call',
      'Errors',
      'Money and dates',
      'Sending a payment again',
      ...subjects,
    ]);
    await page.getByRole('link', { name: 'Rentals' }).click();
    const call = page.getByRole('group').filter({ hasText: 'The charges of a ledger' });
    await call.getByText('The charges of a ledger that are still owed').click();
    await expect(call.getByRole('table', { name: 'Answer' })).toBeVisible();
  });
  await test.step('it fits a phone, light and dark, and axe finds nothing', async () => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

/** What `npm run compare` says of an address, and how it ends. */
function compare(url: string): Promise<{ code: number; said: string }> {
  const script = join(import.meta.dirname, '../../scripts/compare.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, url], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    );
  });
}

test('a portal is compared with its sources, and what was changed on the way is named', async ({
  portal,
}) => {
  const same = await compare(portal.url);
  expect(same).toEqual({
    code: 0,
    said: expect.stringMatching(/^\d\d pages and files of .* are what these sources build\.$/m),
  });
  const between = createServer((request, response) => {
    const { cookie = '' } = request.headers;
    void fetch(portal.url + (request.url ?? ''), { headers: { cookie } }).then(async (answer) => {
      const headers = new Headers(answer.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding'])
        headers.delete(name);
      if (request.url === '/login')
        headers.set(
          'content-security-policy',
          (headers.get('content-security-policy') ?? '').replace("'self'", '*'),
        );
      const bytes = [Buffer.from(await answer.arrayBuffer())];
      if (request.url?.startsWith('/assets/base-')) bytes.push(Buffer.from(';'));
      response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.concat(bytes));
    });
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const other = await compare(`http://127.0.0.1:${(between.address() as AddressInfo).port}`);
  between.close();
  expect(other.code).toBe(1);
  const differences = other.said.trim().split('\n').slice(1);
  expect(differences).toEqual([
    expect.stringMatching(/^\/login has a policy with script-src: \* /),
    // The languages' code has names of its own.
    ...[1, 2].map(() =>
      expect.stringMatching(/^\/assets\/base-[\w-]+\.js is not what is built here$/),
    ),
    expect.stringMatching(/^\/login \(es\) has a policy with script-src: \* /),
  ]);
});
