import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { settleFaults } from '../support/faults.ts';
import { EVIL } from '../support/payloads.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { openByMenu } from '../support/tenant.ts';

/**
 * Sends the page with something in it that the build has not put there, as an attacker between
 * would.
 */
async function plant(page: Page, markup: string): Promise<void> {
  await page.route('**/login', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('<div id="root"', `${markup}$&`),
    });
  });
}

/** Sends the files whose address fits with a line more of code. */
async function tamper(page: Page, address: RegExp): Promise<void> {
  await page.route(address, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: `${await answer.text()}\nglobalThis.planted = true;`,
    });
  });
}

const isPlanted = (page: Page) => page.evaluate(() => 'planted' in globalThis);

// asvs 3.4.3
test(
  'a script that is planted in the HTML does not run, nor what else is, and each is seen',
  { tag: '@smoke' },
  async ({ page, faults }) => {
    const asked: string[] = [];
    await page.route(`${EVIL}/**`, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await plant(
      page,
      `<script>planted = 1</script><script src="${EVIL}/a.js"></script><img src="${EVIL}/b.png" onerror="planted = 1">` +
        `<style>body { display: none }</style><p style="color: red">x</p><iframe src="${EVIL}/c"></iframe>` +
        `<form action="${EVIL}/d" id="d"></form><base href="${EVIL}/">`,
    );
    await page.goto('/login');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Sign in to your account' }),
    ).toBeVisible();
    await page.evaluate(() => (document.getElementById('d') as HTMLFormElement).submit());
    await settleFaults(page.context());
    expect(await isPlanted(page)).toBe(false);
    expect(asked).toEqual([]);
    for (const directive of [
      'script-src-elem refused inline',
      `script-src-elem refused ${EVIL}/a.js`,
      `img-src refused ${EVIL}/b.png`,
      'style-src-elem refused inline',
      'style-src-attr refused inline',
      `frame-src refused ${EVIL}`,
      `form-action refused ${EVIL}/d`,
      `base-uri refused ${EVIL}`,
      'script-src-attr refused inline',
    ])
      // The browser reports one some time after it refused it.
      await expect.poll(() => faults.refused.join('\n')).toContain(directive);
    await settleFaults(page.context());
    faults.refused.length = 0;
  },
);

// asvs 1.3.2
test('no text becomes markup or code, not even by a script of ours (Trusted Types)', async ({
  page,
  faults,
}) => {
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  const names = await page.evaluate(async () => {
    // What the test itself runs in the page may do more than the page, until it lets go once.
    await new Promise((resolve) => setTimeout(resolve));
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy: (name: string) => void };
    };
    const attempts = [
      () => (document.body.innerHTML = '<b>x</b>'),
      () => document.createElement('iframe').setAttribute('srcdoc', 'x'),
      () => (document.createElement('script').text = 'planted = 1'),
      () => (document.createElement('script').src = '/assets/x.js'),
      () => (document.createElement('div').outerHTML = 'x'),
      // oxlint-disable-next-line typescript/no-implied-eval
      () => setTimeout('planted = 1'),
      // oxlint-disable-next-line typescript/no-implied-eval
      () => new Function('planted = 1'),
      () => trustedTypes.createPolicy('mine'),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(names.filter((name) => name !== 'TypeError' && name !== 'EvalError')).toEqual([]);
  expect(await isPlanted(page)).toBe(false);
  await settleFaults(page.context());
  expect(faults.refused.length).toBeGreaterThanOrEqual(names.length);
  faults.refused.length = 0;
});

// asvs 3.6.1
test('code that is not as it was built does not run: neither what the page names nor what is imported later', async ({
  page,
  portal,
  faults,
}) => {
  await tamper(page, /\/assets\/login-[\w-]{6}\.js$/);
  await page.goto('/login');
  await expect(page.getByText('This page could not be loaded.')).toBeVisible();
  expect(await isPlanted(page)).toBe(false);
  await page.unrouteAll();
  await signIn(page, portal, 'dana@example.com');
  await tamper(page, /\/assets\/(account|small-forms)-[\w-]{6}\.js$/);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  await openByMenu(page, 'Profile');
  await expect(page.getByText('This page could not be loaded.')).toBeVisible();
  expect(await isPlanted(page)).toBe(false);
  await settleFaults(page.context());
  expect(faults.thrown.filter((text) => text.includes('integrity')).length).toBeGreaterThanOrEqual(
    2,
  );
  faults.thrown.length = 0;
});

/** Another site's page, on an origin of its own. */
async function openStranger(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>Elsewhere</title><p>Win a boat</p>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}

test('a page of another origin can neither frame the portal, nor read it, nor write in a tenant’s name', async ({
  page,
  portal,
  faults,
}) => {
  await signIn(page, portal, 'dana@example.com');
  const [token, tenantId] = await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('gatehouse')!) as {
      token: string;
      currentTenantId: string;
    };
    return [session.token, session.currentTenantId];
  });
  const [ledger] = await portal.sql(
    "SELECT id FROM ledgers WHERE unit_id = (SELECT id FROM units WHERE name = 'A101')",
  );
  const prefix = `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03`;
  const stranger = await openStranger();
  await page.goto(stranger.url);
  const asset = /\/assets\/[\w-]+\.js/.exec(
    await (await page.request.get(`${portal.url}/login`)).text(),
  )![0];
  const outcomes = await page.evaluate(
    async ({ portal, prefix, token, tenantId, ledgerId, asset }) => {
      const authorization = `Bearer ${token}`;
      const vehicle = `${prefix}/ledgers/${ledgerId}/vehicles`;
      const body = JSON.stringify({ licensePlate: 'EVIL', description: 'EVIL' });
      const read = (url: string, init: RequestInit = {}) =>
        fetch(url, init).then(
          async (answer) =>
            answer.type === 'opaque'
              ? `opaque ${(await answer.text()).length}`
              : `read ${answer.status}`,
          () => 'blocked',
        );
      const load = (element: HTMLScriptElement | HTMLImageElement | HTMLLinkElement, src: string) =>
        new Promise<string>((resolve) => {
          element.onload = () => resolve('loaded');
          element.onerror = () => resolve('blocked');
          if ('src' in element) element.src = src;
          else element.href = src;
          document.head.append(element);
        });
      const frame = (src: string) =>
        new Promise<string>((resolve) => {
          const element = document.createElement('iframe');
          element.onload = () => {
            // What may not be framed is an error page of the browser, which belongs to no site.
            try {
              resolve(element.contentDocument === null ? 'blocked' : 'framed');
            } catch {
              resolve('blocked');
            }
          };
          element.src = src;
          document.body.append(element);
        });
      const form = (action: string, enctype: string) =>
        new Promise<string>((resolve) => {
          const target = `frame-${Math.random()}`;
          const element = Object.assign(document.createElement('iframe'), { name: target });
          document.body.append(element);
          const sender = Object.assign(document.createElement('form'), {
            action,
            enctype,
            method: 'post',
            target,
          });
          sender.innerHTML = `<input name='${body.replaceAll("'", '')}'>`;
          document.body.append(sender);
          element.onload = () => resolve('blocked');
          sender.submit();
        });
      const stylesheet = Object.assign(document.createElement('link'), { rel: 'stylesheet' });
      const script = document.createElement('script');
      const module = Object.assign(document.createElement('script'), { type: 'module' });
      return {
        'read with a token': await read(`${prefix}/tenants/${tenantId}`, {
          headers: { authorization },
        }),
        'read without': await read(`${prefix}/tenants/${tenantId}`),
        'read with cookies': await read(`${prefix}/tenants/${tenantId}`, {
          credentials: 'include',
        }),
        'read unseen': await read(`${prefix}/tenants/${tenantId}`, { mode: 'no-cors' }),
        'read from the cache': await read(`${portal}/login`, {
          mode: 'no-cors',
          cache: 'force-cache',
        }),
        'read of the page': await read(`${portal}/`),
        'read of the locations': await read(`${portal}/api/corporations/ANCHOR/locations`),
        'write as JSON': await read(vehicle, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body,
        }),
        'write as text with a token': await read(vehicle, {
          method: 'POST',
          headers: { authorization },
          body,
        }),
        'write as text': await read(vehicle, { method: 'POST', body, mode: 'no-cors' }),
        'write as a form': await read(vehicle, {
          method: 'POST',
          body: new URLSearchParams({ body }),
          mode: 'no-cors',
        }),
        'write with PATCH': await read(`${prefix}/tenants/${tenantId}`, {
          method: 'PATCH',
          body,
        }),
        'form as urlencoded': await form(vehicle, 'application/x-www-form-urlencoded'),
        'form as multipart': await form(vehicle, 'multipart/form-data'),
        'form as text': await form(vehicle, 'text/plain'),
        'frame of the units': await frame(`${portal}/`),
        'frame of sign-in': await frame(`${portal}/login`),
        'frame of the mailbox': await frame(`${portal}/mailbox`),
        script: await load(script, `${portal}${asset}`),
        module: await load(module, `${portal}${asset}`),
        'style sheet': await load(stylesheet, `${portal}/login`),
        picture: await load(document.createElement('img'), `${portal}/icon.svg`),
      };
    },
    {
      portal: portal.url,
      prefix,
      token: token,
      tenantId: tenantId,
      ledgerId: ledger!.id as string,
      asset,
    },
  );
  expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(20);
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'blocked')).toEqual([]);
  expect(await portal.sql("SELECT 1 FROM vehicles WHERE description = 'EVIL'")).toEqual([]);
  // A window that it opens is cut off from it.
  const opened = page.context().waitForEvent('page');
  await page.evaluate(
    (url) => void Object.assign(globalThis, { opened: window.open(url) }),
    `${portal.url}/`,
  );
  const popup = await opened;
  await expect(popup.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await popup.evaluate(() => window.opener as unknown)).toBeNull();
  expect(
    await page.evaluate(() => (globalThis as unknown as { opened: Window }).opened.closed),
  ).toBe(true);
  stranger.close();
  // Said by the browser on the stranger's page: what it was refused.
  await settleFaults(page.context());
  faults.refused.length = 0;
  faults.thrown.length = 0;
});
