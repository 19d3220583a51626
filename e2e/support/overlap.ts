import { expect, type Locator, type Page } from '@playwright/test';

/** Sets text twice as large, as a tenant does in the browser's settings. */
export async function enlargeText(
  page: Page,
  size: { width: number; height: number } = { width: 320, height: 640 },
): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%';
    // The numerals, which are wide, whether or not they were here in time for the first paint.
    const isFace = (rule: CSSRule): rule is CSSFontFaceRule => rule instanceof CSSFontFaceRule;
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    for (const face of rules.filter(isFace)) face.style.setProperty('font-display', 'block');
    await document.fonts.ready;
  });
}

/** Letters a tenth wider than most systems', as those of Verdana are. */
export async function widenLetters(page: Page): Promise<void> {
  // The page policy has no say about a sheet that a script makes.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { font-family: Verdana, 'DejaVu Sans' !important }");
    document.adoptedStyleSheets = [sheet];
  });
}

/**
 * Expects that no text in a part of the page lies over another one or outside of the part, and that
 * the part needs no scrolling sideways. What sticks to an edge is compared with its own text only:
 * everything else scrolls under it.
 */
export async function expectNothingOverlaps(part: Locator): Promise<void> {
  await expect(part).toBeVisible();
  await part.page().evaluate(() => document.fonts.ready);
  expect(await part.evaluate(findOverlaps)).toEqual([]);
}

/** Runs in the page. Answers the pairs of texts that lie over each other, and what is cut off. */
function findOverlaps(part: Element): string[] {
  type Text = { words: string; from: Element; stuck: Element | null; box: DOMRect };
  const texts: Text[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const from = node.parentElement!;
    const words = (node.textContent ?? '').trim();
    if (words === '' || from.closest('svg, select, .sr-only') !== null) continue;
    if (!from.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = clipped(line, from);
      if (box.width > 1 && box.height > 1)
        texts.push({ words, from, stuck: from.closest('.sticky'), box });
    }
  }
  const found: string[] = [];
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.from === other.from || one.stuck !== other.stuck) continue;
      if (meet(one.box, other.box)) found.push(`“${one.words}” over “${other.words}”`);
    }
  }
  const frame = part.getBoundingClientRect();
  for (const { words, from, box } of texts)
    if (!isInScroller(from) && (box.right > frame.right + 1 || box.left < frame.left - 1))
      found.push(`“${words}” beside its part`);
  if (part.scrollWidth > part.clientWidth + 1) {
    const wide = [...part.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > frame.right + 1 && !isInScroller(one),
    );
    found.push(`scrolls sideways: ${wide.map(({ outerHTML }) => outerHTML.slice(0, 80)).join()}`);
  }
  return [...new Set(found)];

  /** Without what its ancestors hide of it. */
  function clipped(line: DOMRect, from: Element): DOMRect {
    let { left, top, right, bottom } = line;
    for (let at: Element | null = from; at !== null && at !== part; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const edge = at.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  /** A line's box is higher than its letters: a quarter at the top and the bottom may meet. */
  function meet(a: DOMRect, b: DOMRect): boolean {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height =
      Math.min(a.bottom - a.height / 4, b.bottom - b.height / 4) -
      Math.max(a.top + a.height / 4, b.top + b.height / 4);
    return width > 1 && height > 1;
  }

  /** In a row that is swiped. */
  function isInScroller(from: Element): boolean {
    for (let at: Element | null = from; at !== null && at !== part; at = at.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  }
}
