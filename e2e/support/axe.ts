import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The narrowest page that is not a phone's. */
const TABLET = 768;

/**
 * Expects that axe finds nothing wrong in the page as it is. Dark colours are looked at on a phone
 * alone, because no colour depends on the width, and for nothing but their contrast, because they
 * change nothing else.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  if (width < TABLET) {
    await setColours(page, 'dark');
    await expectNoViolations(axe(page).withRules(['color-contrast', 'link-in-text-block']));
  }
  await setColours(page, 'light');
  await expectNoViolations(axe(page));
}

/** Without the legacy mode every run opens another page, for frames of other origins. */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

/** Resolves when the page has changed over to the colours, with its animations at their end. */
async function setColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
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

async function expectNoViolations(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
  ).toEqual([]);
}
