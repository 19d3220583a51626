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

/** Clicks twice at once, before the first click can move or disable anything. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}
