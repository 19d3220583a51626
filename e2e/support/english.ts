import { type Message, spanish } from '@gatehouse/language/spanish';
import { expect, type Page } from '@playwright/test';

/** Expects Spanish, and no English text on the page or for screen readers, as the page is. */
export async function expectNoEnglish(page: Page): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  expect(await englishOf(page)).toEqual([]);
}

/** The English texts that a page shows, or has for screen readers, as it is. */
export async function englishOf(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const seen = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement?.closest('script, style, template, noscript, [lang]:not(html), #notice'))
        continue;
      if (parentElement?.closest('option') ?? parentElement?.checkVisibility())
        seen.add((textContent ?? '').trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [alt], [title]'))
      for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
        seen.add(element.getAttribute(name)?.trim() ?? '');
    return [...seen];
  });
  return texts.filter(isEnglish);
}

/** A text of the catalogue, or one with words that no Spanish text has. */
function isEnglish(text: string): boolean {
  return (
    english.has(text) || /\b(the|your|you|is|are|was|with|please|for|and|of|to|by|on)\b/i.test(text)
  );
}

const english = new Set<string>(
  (Object.keys(spanish) as Message[]).filter((text) => spanish[text] !== text),
);
