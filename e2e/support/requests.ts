import type { Locator, Page } from '@playwright/test';

/** The bodies that the page sends from now on to addresses with this end, in their order. */
export function bodiesOf(page: Page, end: string | RegExp): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    const isMeant = typeof end === 'string' ? request.url().endsWith(end) : end.test(request.url());
    if (isMeant && request.method() !== 'GET') bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** Holds back what the page sends to an address until the answer is called, as a slow link does. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(undefined);
}

/** Clicks twice at once, before the first click can move or disable anything. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}
