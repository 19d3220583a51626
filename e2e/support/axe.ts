import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The narrowest page that is not a phone's. */
const TABLET = 768;

/**
 * Expects that axe finds nothing wrong in the page as it is. Dark colours are looked at on a phone
 * only, because no colour depends on the width, and for nothing but their contrast, because they
 * change nothing else.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  if (width < TABLET) {
    await settled(page, 'dark');
    await expectContrast(page);
  }
  await settled(page, 'light');
  await expectNoViolations(axe(page));
}

/** Expects that axe finds the colours of the page apart as it is. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolations(axe(page).withRules(['color-contrast', 'link-in-text-block']));
}

/** Without the legacy mode every run opens another page, for frames of other origins. */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

/** Resolves when the page has changed over to the colours, with its animations at their end. */
export async function settled(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    for (;;) {
      // Those of a loading state never end.
      const running = document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity,
        );
      for (const animation of running) animation.finish();
      // What is drawn next may begin others.
      await new Promise(requestAnimationFrame);
      if (running.length === 0) return;
    }
  });
}

/**
 * Expects that what is pressed is at least 44 px either way; links inside text are as tall as their
 * line, which WCAG excepts.
 */
export async function expectTouchable(page: Page): Promise<void> {
  const small = await page
    .locator('a:visible, button:visible, select:visible, input:visible, summary:visible')
    .evaluateAll((controls) =>
      controls
        .filter((one) => !one.closest('[inert]') && getComputedStyle(one).display !== 'inline')
        .filter((one) => {
          // A radio, a checkbox and a file input are pressed by a label.
          const labels = one.matches('[type=radio], [type=checkbox], [type=file]')
            ? [...((one as HTMLInputElement).labels ?? [])]
            : [];
          return [one, ...labels].every((target) => {
            const { width, height } = target.getBoundingClientRect();
            return width < 44 || height < 44;
          });
        })
        .map((one) => one.outerHTML),
    );
  expect(small).toEqual([]);
}

/** Expects that the page is no wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
}

async function expectNoViolations(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
  ).toEqual([]);
}
