import { readConfig } from '../../server/src/config/config.ts';
import type { Context } from '../../server/src/context/context.ts';
import { stopUrl } from '../../server/src/features/rentals/reminders/stop-links.ts';
import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll, expectTouchable } from '../support/axe.ts';
import { expect, test, type Portal } from '../support/portal.ts';

const keys = { SECRET_KEY: '11'.repeat(32), DATA_KEYS: '07'.repeat(32) };
test.use({ environment: { SECRET_KEY: keys.SECRET_KEY } });

/** The path of the link in a reminder to Dana. */
async function linkOf(portal: Portal): Promise<string> {
  const [tenant] = await portal.sql("SELECT id FROM tenants WHERE email = 'dana@example.com'");
  // All that a link is made of.
  const ctx = { config: readConfig(keys), clock: testClock } as Context;
  return new URL(stopUrl(ctx, String(tenant!.id), 'gate_soon')).pathname;
}

// spec 10.30
test(
  'the link in a reminder asks first, stops that kind with one press, and needs no sign-in',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const stopped = () => portal.sql('SELECT kind FROM reminder_stops');
    await page.goto(await linkOf(portal));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Stop these reminders?');
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    expect(await stopped()).toEqual([]);
    await page.getByRole('button', { name: 'Stop these reminders' }).click();
    await expect(page.getByRole('status')).toHaveText(
      'You get no more emails about a gate that is about to close.',
    );
    await expectAccessible(page);
    expect(await stopped()).toEqual([{ kind: 'gate_soon' }]);
  },
);
