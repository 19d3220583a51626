import type { Locator, Page } from '@playwright/test';
import { expect } from './portal.ts';

/**
 * What a screen reader has of a page, as text that reads like a conversation: the tree of
 * accessibility, and after each press what is said without being asked for, in its order.
 */
export type ScreenReader = {
  /** Does what a tenant does; it is done with when `then` is in sight. */
  press(what: string, act: () => unknown, then: Locator): Promise<void>;
  /** Reads a part of the page, from its first line to its last. */
  read(what: string, part: Locator): Promise<void>;
  /** All of it so far. */
  text(): string;
};

/** What differs from run to run, as what it is. */
const differing: [is: RegExp, as: string][] = [
  [/\b\d{4}#/g, '1234#'],
  [/\bR-\d+/g, 'R-1001'],
  [/[\da-f]{8}-[\da-f-]{27}/g, 'ID'],
  [/\bblob:\S+/g, 'blob:'],
];

/** What is not said where the answer comes at once. */
const fleeting = /^status: (Loading…|Loading locations…|Your photo is being checked…)$/;

/** Listens to a page, from its first line on. */
export async function listenTo(page: Page): Promise<ScreenReader> {
  const said: string[] = [];
  const lines: string[] = [];
  await page.exposeBinding('noteSaid', (_source, sentence: string) => said.push(sentence));
  await page.addInitScript(noteWhatIsSaid);
  const tell = (text: string) =>
    lines.push(differing.reduce((all, [is, as]) => all.replaceAll(is, as), text));
  let title = '';

  return {
    async press(what, act, then) {
      const before = await focusOf(page);
      await act();
      await expect(then).toBeVisible();
      // What came with it, until the page is drawn.
      await page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      });
      tell(`\n> ${what}`);
      if ((await page.title()) !== title) tell(`  page: ${(title = await page.title())}`);
      for (const sentence of said.splice(0)) if (!fleeting.test(sentence)) tell(`  ${sentence}`);
      const after = await focusOf(page);
      if (after !== before) tell(`  focus: ${after}`);
    },
    async read(what, part) {
      tell(`\n${what}:`);
      tell(heard(await part.ariaSnapshot()).replaceAll(/^/gm, '  '));
    },
    text: () => `${lines.join('\n').trim()}\n`,
  };
}

/** Without addresses and empty status regions, which are not read. */
function heard(tree: string): string {
  return tree.replaceAll(/:?\n *- \/url: .*/g, '').replaceAll(/\n *- status$/gm, '');
}

/** The first line of what has the focus, with its description, which is read with it. */
async function focusOf(page: Page): Promise<string> {
  const focused = page.locator(':focus');
  if ((await focused.count()) === 0) return 'the page';
  const [line] = heard(await focused.ariaSnapshot()).split('\n');
  return focused.evaluate(
    (element, line) => {
      // A place that has no role has no name, and is not read.
      if (element.matches('div:not([role])')) return 'the place of what was said';
      const descriptions = (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '');
      return [line, ...descriptions].filter(Boolean).join(' ');
    },
    line?.replace(/^- (.*?):?$/, '$1'),
  );
}

/** Runs in the page: sends what its live regions say, when they come or change. */
function noteWhatIsSaid(): void {
  const LIVE = '[role=status], [role=alert], [role=log], [aria-live]';
  const heard = new WeakMap<Element, string>();
  const note = (globalThis as unknown as { noteSaid: (sentence: string) => void }).noteSaid;

  function listen(region: HTMLElement) {
    // What a page has from the first is no news.
    const isNews = document.readyState !== 'loading';
    const isSeen = region.checkVisibility() || getComputedStyle(region).display === 'contents';
    const text = isNews && isSeen ? region.innerText.replaceAll(/\s+/g, ' ').trim() : '';
    if (heard.get(region) === text) return;
    heard.set(region, text);
    if (text !== '') note(`${region.getAttribute('role') ?? 'live'}: ${text}`);
  }
  function regionsAt(node: Node): HTMLElement[] {
    const element = node instanceof HTMLElement ? node : node.parentElement;
    const around = element?.closest<HTMLElement>(LIVE);
    return [...(around ? [around] : []), ...(element?.querySelectorAll<HTMLElement>(LIVE) ?? [])];
  }
  new MutationObserver((changes) => {
    const nodes = changes.flatMap(({ target, addedNodes, type }) =>
      type === 'childList' && addedNodes.length > 0 ? [...addedNodes] : [target],
    );
    for (const region of new Set(nodes.filter((one) => one.isConnected).flatMap(regionsAt)))
      listen(region);
  }).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['class', 'hidden', 'aria-hidden'],
  });
}
