import type { Page } from '@playwright/test';
import { settleFaults } from '../support/faults.ts';
import { EVIL } from '../support/payloads.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { openByMenu } from '../support/tenant.ts';

/** Sends the page with something in it that the build has not put there, as whoever stands between would. */
async function plant(page: Page, markup: string): Promise<void> {
  await page.route('**/login', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('<div id="root"', `${markup}$&`) });
  });
}

/** Sends the files whose address fits with a line more of code. */
async function tamper(page: Page, address: RegExp): Promise<void> {
  await page.route(address, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()}\nglobalThis.planted = true;` });
  });
}

const isPlanted = (page: Page) => page.evaluate(() => 'planted' in globalThis);

test(
  'a script that is planted in the HTML does not run, nor what else is, and each is seen',
  { tag: '@once' },
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
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in to your account' })).toBeVisible();
    await page.evaluate(() => (document.getElementById('d') as HTMLFormElement).submit());
    await settleFaults(page.context());
    expect(await isPlanted(page)).toBe(false);
    expect(asked).toEqual([]);
    const refused = faults.refused.join('\n');
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
      expect(refused).toContain(directive);
    faults.refused.length = 0;
  },
);

test(
  'no text becomes markup or code, not even by a script of ours (Trusted Types)',
  { tag: '@once' },
  async ({ page, faults }) => {
    await page.goto('/login');
    await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
    const names = await page.evaluate(async () => {
      // What the test itself runs in the page may do more than the page, until it lets go once.
      await new Promise((resolve) => setTimeout(resolve));
      const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy: (name: string) => void } };
      const attempts = [
        () => (document.body.innerHTML = '<b>x</b>'),
        () => document.createElement('iframe').setAttribute('srcdoc', 'x'),
        () => (document.createElement('script').text = 'planted = 1'),
        () => (document.createElement('script').src = '/assets/x.js'),
        () => (document.createElement('div').outerHTML = 'x'),
        // eslint-disable-next-line @typescript-eslint/no-implied-eval
        () => setTimeout('planted = 1'),
        // eslint-disable-next-line @typescript-eslint/no-implied-eval
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
  },
);

test(
  'code that is not as it was built does not run: neither what the page names nor what is imported later',
  {
    tag: '@once',
  },
  async ({ page, portal, faults }) => {
    await tamper(page, /\/assets\/login-[\w-]{8}\.js$/);
    await page.goto('/login');
    await expect(page.getByText('This page could not be loaded.')).toBeVisible();
    expect(await isPlanted(page)).toBe(false);
    await page.unrouteAll();
    await signIn(page, portal, 'dana@example.com');
    await tamper(page, /\/assets\/(profile|contact-update-form)-[\w-]{8}\.js$/);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
    await openByMenu(page, 'Profile');
    await expect(page.getByText('This page could not be loaded.')).toBeVisible();
    expect(await isPlanted(page)).toBe(false);
    await settleFaults(page.context());
    expect(faults.thrown.filter((text) => text.includes('integrity')).length).toBeGreaterThanOrEqual(2);
    faults.thrown.length = 0;
  },
);
