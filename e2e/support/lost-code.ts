import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Portal } from './portal.ts';

/**
 * How code does not come: its file is gone from the server's build, the server is busy, something
 * between answers with a page of its own, there is no connection.
 */
export const losses = ['gone', 'busy', 'html', 'offline'] as const;
/** `cut`: the connection is lost when the code is asked for. */
export type Loss = (typeof losses)[number] | 'cut';

export type Lost = {
  /** How often the code was asked for since it was lost. */
  asked(): number;
  /** From here on it comes. */
  heal(): Promise<void>;
};

/**
 * Loses the chunk of this name. `gone` needs a server with its own build (`hasOwnBuild`); all else
 * of the page comes as before, but `offline`, where nothing does.
 */
export async function loseCode(
  page: Page,
  portal: Portal,
  name: string,
  loss: Loss,
  folder = 'web',
): Promise<Lost> {
  const address = new RegExp(`/assets/${name}-[\\w-]{6,8}\\.js$`);
  let asked = 0;
  const count = (request: { url(): string }) => void (address.test(request.url()) && (asked += 1));
  page.on('request', count);
  const end = await begin();
  return {
    asked: () => asked,
    async heal() {
      await end();
      page.off('request', count);
    },
  };

  async function begin(): Promise<() => Promise<void>> {
    if (loss === 'offline') {
      await page.context().setOffline(true);
      return () => page.context().setOffline(false);
    }
    if (loss === 'gone') {
      const assets = join(portal.root, folder, 'dist', 'assets');
      const aside = join(portal.root, folder);
      const files = (await readdir(assets)).filter((file) =>
        address.test(`/assets/${file.replace(/\.(br|gz)$/, '')}`),
      );
      for (const file of files) await rename(join(assets, file), join(aside, file));
      return async () => {
        for (const file of files) await rename(join(aside, file), join(assets, file));
      };
    }
    if (loss === 'cut') {
      await page.route(address, async (route) => {
        await page.context().setOffline(true);
        await route.abort('internetdisconnected');
      });
      return async () => {
        await page.unroute(address);
        await page.context().setOffline(false);
      };
    }
    await page.route(address, (route) =>
      loss === 'busy'
        ? route.fulfill({ status: 503, json: { message: 'Busy.' } })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>Sign in to Wi-Fi' }),
    );
    return () => page.unroute(address);
  }
}

/**
 * Whether this browser asks again for a module whose import has failed, as the standard says since
 * July 2026 (whatwg/html#10327); others keep the failure until the page is reloaded.
 */
export async function retriesImports(page: Page): Promise<boolean> {
  let asked = 0;
  const count = (request: { url(): string }) =>
    void (request.url().endsWith('/assets/none.js') && (asked += 1));
  page.on('request', count);
  await page.evaluate(async () => {
    const address = '/assets/none.js';
    for (let time = 0; time < 2; time++) await import(address).catch(() => {});
  });
  page.off('request', count);
  return asked === 2;
}

/** Replaces the portal's own build (`hasOwnBuild`) by one with other code, as a deploy does. */
export async function publishBuild(portal: Portal): Promise<void> {
  const dist = join(portal.root, 'web/dist');
  const list = join(dist, '.vite/pages.json');
  const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  for (const file of (await readdir(dist)).filter((name) => name.endsWith('.html'))) {
    const html = await readFile(join(dist, file), 'utf8');
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? [];
    const next = map.replace('{"integrity":{', `$&"/assets/next.js":"${hashOf('next')}",`);
    await writeFile(join(dist, file), html.replace(map, next));
    for (const kind of ['br', 'gz']) await rm(join(dist, `${file}.${kind}`));
    const pages = await readFile(list, 'utf8');
    await writeFile(list, pages.replace(hashOf(map), hashOf(next)));
  }
  await portal.restart();
}
