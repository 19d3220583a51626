import { addDays, formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { Locator, Page } from '@playwright/test';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  balances,
  because,
  chooseRental,
  expectSoundBooks,
  openOffice,
  openTenantOf,
  perform,
  rental,
  savePaper,
  signInStaff,
} from '../support/office.ts';
import { mailsTo } from '../support/mailbox.ts';
import { expect, test, type Portal } from '../support/portal.ts';

test.use({
  viewport: { width: 1024, height: 768 },
  contextOptions: WITHOUT_MOTION,
});

/** Opens a line of the books by what its row says, and answers what is below it. */
async function openLine(page: Page, says: RegExp): Promise<Locator> {
  await page.getByRole('tab', { name: 'Books' }).click();
  const row = page.getByRole('row', { name: says }).first();
  await row.click();
  return page.getByRole('table').getByRole('row').filter({ hasText: 'ettle' }).first();
}

test('a manager takes payments and takes them back: a bounced check, a mistake, refunds in part and whole', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  /** Waits until the card of a rental has what was posted last. */
  const expectNewest = async (unitName: string) => {
    const [cents = 0] = await balances(portal, unitName);
    await expect(rental(page, unitName)).toContainText(formatMoney(cents / 100));
  };
  const pay = async (amount: string, fill: (dialog: Locator) => Promise<void> = async () => {}) => {
    await expectNewest('A101');
    await perform(page, 'Take a payment', async (dialog) => {
      await dialog.getByLabel(/^C014/).uncheck();
      await dialog.getByLabel('Amount').fill(amount);
      await fill(dialog);
    });
  };

  await test.step('a check that bounces is owed again, with the fee', async () => {
    await pay('214.50', async (dialog) => {
      await dialog.getByLabel('Check', { exact: true }).check();
      await dialog.getByLabel('Check number').fill('1041');
    });
    expect(await balances(portal, 'A101')).toEqual([0]);
    const line = await openLine(page, /Check 1041/);
    expect(await savePaper(line, /^Receipt \d+$/)).toMatch(/\.pdf$/);
    await perform(line, 'Mail the receipt', async () => {}, {
      says: 'It will be mailed to dana@example.com.',
    });
    expect(await mailsTo(page, portal, 'dana@example.com')).toMatchObject([
      { subject: expect.stringMatching(/^Receipt \d+ for unit A101$/) },
      { subject: expect.stringMatching(/^Receipt \d+ for unit A101$/) },
    ]);
    await perform(
      line,
      'Reverse',
      async (dialog) => {
        await dialog.getByLabel('A check or money order bounced').check();
        await because(dialog, 'Returned by the bank');
      },
      { says: 'Taken back: $214.50' },
    );
    expect(await balances(portal, 'A101')).toEqual([21_450 + (await returnFee(portal))]);
    await expect(page.getByRole('row', { name: /Check 1041/ }).first()).toContainText(
      'Reversed: the check bounced',
    );
    await expect(line.getByRole('button', { name: 'Reverse' })).toHaveCount(0);
  });

  await test.step('cash is refunded in part and then whole', async () => {
    const [before] = (await balances(portal, 'A101')) as [number];
    await page.getByRole('tab', { name: 'Rentals' }).click();
    await pay('100');
    const line = await openLine(page, /Cash.*\$100\.00/);
    await perform(
      line,
      'Refund',
      async (dialog) => {
        await dialog.getByLabel('Amount').fill('40');
        await because(dialog);
      },
      { says: 'Refund: $40.00' },
    );
    expect(await balances(portal, 'A101')).toEqual([before - 6_000]);
    await expect(page.getByRole('row', { name: /Cash.*\$100\.00/ }).first()).toContainText(
      'Refunded, $40.00 of it',
    );
    await perform(line, 'Refund', (dialog) => because(dialog), { says: 'Refund: $60.00' });
    expect(await balances(portal, 'A101')).toEqual([before]);
  });

  await test.step('a check that was refunded whole and bounces is owed again whole', async () => {
    const [before] = (await balances(portal, 'A101')) as [number];
    await page.getByRole('tab', { name: 'Rentals' }).click();
    await pay('60', async (dialog) => {
      await dialog.getByLabel('Check', { exact: true }).check();
      await dialog.getByLabel('Check number').fill('1043');
    });
    const line = await openLine(page, /Check 1043/);
    await perform(line, 'Refund', (dialog) => because(dialog), { says: 'Refund: $60.00' });
    expect(await balances(portal, 'A101')).toEqual([before]);
    await expect(line.getByRole('button', { name: 'Refund' })).toHaveCount(0);
    await perform(
      line,
      'Reverse',
      async (dialog) => {
        await dialog.getByLabel('A check or money order bounced').check();
        await because(dialog, 'Returned by the bank');
      },
      { says: 'Taken back: $60.00' },
    );
    expect(await balances(portal, 'A101')).toEqual([before + 6_000 + (await returnFee(portal))]);
    await expect(page.getByRole('row', { name: /Check 1043/ }).first()).toContainText(
      'Reversed: the check bounced',
    );
  });

  await test.step('what was recorded by mistake is reversed, without a fee', async () => {
    const before = await balances(portal, 'A101');
    await page.getByRole('tab', { name: 'Rentals' }).click();
    await pay('50');
    const line = await openLine(page, /Cash.*\$50\.00/);
    await perform(line, 'Reverse', async (dialog) => {
      await dialog.getByLabel('It was recorded by mistake').check();
      await because(dialog);
    });
    expect(await balances(portal, 'A101')).toEqual(before);
  });

  await test.step('one that came the day before counts from its day', async () => {
    const before = await balances(portal, 'A101');
    await page.getByRole('tab', { name: 'Rentals' }).click();
    const came = addDays(TEST_DAY, -1);
    await pay('30', (dialog) => dialog.getByLabel('Came on').fill(came));
    const line = await openLine(page, /Cash.*\$30\.00/);
    const [paid] = await portal.sql(
      "SELECT posted_on::text AS on FROM entries WHERE kind = 'payment' AND amount_cents = -3000",
    );
    expect(paid).toEqual({ on: came });
    await perform(line, 'Reverse', async (dialog) => {
      await dialog.getByLabel('It was recorded by mistake').check();
      await because(dialog);
    });
    expect(await balances(portal, 'A101')).toEqual(before);
  });

  await test.step('a check that paid two rentals bounces as one', async () => {
    const owed = async () => [
      ...(await balances(portal, 'A101')),
      ...(await balances(portal, 'C014')),
    ];
    const before = await owed();
    await page.getByRole('tab', { name: 'Rentals' }).click();
    await expectNewest('A101');
    await perform(page, 'Take a payment', async (dialog) => {
      // The oldest debt is paid first, and the amount is what the chosen ones owe.
      await expect(dialog.getByRole('checkbox').first()).toHaveAccessibleName(/^C014/);
      const all = await dialog.getByLabel('Amount').inputValue();
      await dialog.getByLabel(/^A101/).uncheck();
      await expect(dialog.getByLabel('Amount')).not.toHaveValue(all);
      await dialog.getByLabel(/^A101/).check();
      await expect(dialog.getByLabel('Amount')).toHaveValue(all);
      await dialog.getByLabel('Check', { exact: true }).check();
      await dialog.getByLabel('Check number').fill('1042');
    });
    expect(await owed()).toEqual([0, 0]);
    const line = await openLine(page, /Check 1042/);
    await perform(line, 'Reverse', async (dialog) => {
      await dialog.getByLabel('A check or money order bounced').check();
      await because(dialog, 'Returned by the bank');
    });
    const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);
    expect(sum(await owed())).toBe(sum(before) + (await returnFee(portal)));
  });
  await expectSoundBooks(portal);
});

/** What the facility charges for a returned check, in cents. */
async function returnFee(portal: Portal): Promise<number> {
  const [row] = await portal.sql(
    "SELECT return_fee_cents::int AS fee FROM facilities WHERE location_code = 'TXDFW03'",
  );
  return row!['fee'] as number;
}

test('a check from the night box names the late fee that it would have prevented, which a manager waives with it', async ({
  page,
  portal,
}) => {
  const came = addDays(TEST_DAY, -2);
  // The demo’s late fees name no rent.
  await portal.sql(
    `UPDATE charges fee SET late_for = rent.entry_id
     FROM entries e, ledgers l, units u, charges rent JOIN entries paid ON paid.id = rent.entry_id
     WHERE e.id = fee.entry_id AND l.id = e.ledger_id AND u.id = l.unit_id AND u.name = 'A101'
       AND fee.description = 'Late fee' AND paid.ledger_id = l.id AND rent.category = 'rent'
       AND rent.due_on = $1`,
    [addDays(TEST_DAY, -6)],
  );
  const fillIn = async (dialog: Locator) => {
    await dialog.getByLabel(/^C014/).uncheck();
    await dialog.getByLabel('Check', { exact: true }).check();
    await dialog.getByLabel('Check number').fill('1044');
    await dialog.getByLabel('Amount').fill('199.50');
    await dialog.getByLabel('Came on').fill(came);
  };
  const waives = 'Waive the late fees that it would have prevented on that day';

  await test.step('a clerk reads of it', async () => {
    await signInStaff(page, portal, 'clerk');
    await openTenantOf(page, portal, 'A101');
    await page.getByRole('button', { name: 'Take a payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take a payment' });
    await fillIn(dialog);
    await expect(dialog.getByLabel(waives)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(
      `It counts from ${formatDate(came)}.`,
    );
    await expect(dialog.getByRole('alert')).toContainText(
      `On that day it would have prevented Late fee of ${formatDate(addDays(TEST_DAY, -1))}, $15.00.`,
    );
    await expectAccessible(page);
  });

  await test.step('a manager waives it with the payment', async () => {
    await page.context().clearCookies();
    await signInStaff(page, portal, 'manager');
    await openTenantOf(page, portal, 'A101');
    await perform(
      page,
      'Take a payment',
      async (dialog) => {
        await expect(dialog.getByLabel(waives)).toHaveCount(0);
        await fillIn(dialog);
        await dialog.getByLabel(waives).check();
      },
      { says: /Waived: Late fee of .*-\$15\.00.*A101 will owe \$0\.00\./ },
    );
    expect(await balances(portal, 'A101')).toEqual([0]);
    const [paid] = await portal.sql(
      "SELECT posted_on::text AS on FROM entries WHERE kind = 'payment' AND amount_cents = -19950 ORDER BY position DESC",
    );
    expect(paid).toEqual({ on: came });
  });
  await expectSoundBooks(portal);
});

// spec 10.38
test('the books of a tenant can be those of one rental, and begin on their first page each time', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'clerk');
  await openTenantOf(page, portal, 'A101');
  await page.getByRole('tab', { name: 'Books' }).click();
  await expect(page.getByRole('columnheader', { name: 'Balance of the unit' })).toBeVisible();
  const cells = (unitName: string) => page.getByRole('cell', { name: unitName, exact: true });
  await page.getByRole('button', { name: 'Go to next page' }).click();
  const back = page.getByRole('button', { name: 'Go to previous page' });
  await expect(back).toBeEnabled();

  await page.getByRole('tab', { name: 'Rentals' }).click();
  await page.getByRole('tab', { name: 'Books' }).click();
  await expect(cells('C014').first()).toBeVisible();
  await expect(back).toBeDisabled();
  await page.getByRole('combobox', { name: 'Rental' }).click();
  await page.getByRole('option', { name: /^A101, since / }).click();
  await expect(cells('C014')).toHaveCount(0);
  await expect(cells('A101').first()).toBeVisible();
  await expectAccessible(page);
});

// spec 10.39
test('a manager adds a charge and a credit and waives; who waived what is in the audit trail', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  await perform(
    page,
    'Add a charge',
    async (dialog) => {
      await chooseRental(dialog, 'B207');
      await dialog.getByLabel('Description').fill('Battery charging');
      await dialog.getByLabel('Amount before tax').fill('15');
      await because(dialog);
    },
    {
      says: /B207 will owe \$15\.00\.\s*The gate closes at once\. It opens again once \$15\.00 is paid\./,
    },
  );
  await perform(
    rental(page, 'B207'),
    'Waive',
    async (dialog) => {
      await dialog.getByLabel('Amount with tax').fill('5');
      await because(dialog, 'The charger was slow');
    },
    { says: 'B207 will owe $10.00.' },
  );
  await perform(
    rental(page, 'B207'),
    'Add a credit',
    async (dialog) => {
      await dialog.getByLabel('Amount').fill('10');
      await dialog.getByLabel('Description').fill('Goodwill');
      await because(dialog);
    },
    { says: 'B207 will owe $0.00.' },
  );
  expect(await balances(portal, 'B207')).toEqual([0]);
  const line = await openLine(page, /Goodwill/);
  await perform(line, 'Take back', (dialog) => because(dialog), { says: 'Taken back: $10.00' });
  expect(await balances(portal, 'B207')).toEqual([1_000]);
  await page.getByRole('tab', { name: 'Rentals' }).click();
  await perform(rental(page, 'B207'), 'Add a credit', async (dialog) => {
    await dialog.getByLabel('Amount').fill('30');
    await dialog.getByLabel('Description').fill('Goodwill');
    await because(dialog);
  });
  const [owed] = (await balances(portal, 'A101')) as [number];
  await perform(rental(page, 'B207'), 'Move the credit', async (dialog) => {
    await expect(dialog.getByLabel('Amount')).toHaveValue('20.00');
    await dialog.getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: 'A101' }).click();
    await because(dialog);
  });
  expect(await balances(portal, 'A101', 'B207')).toEqual([owed - 2_000, 0]);

  await test.step('a credit is paid out by check, which is in the deposits of the day', async () => {
    await expect(rental(page, 'B207').getByRole('button', { name: 'Pay out' })).toHaveCount(0);
    await perform(rental(page, 'B207'), 'Add a credit', async (dialog) => {
      await dialog.getByLabel('Amount').fill('25');
      await dialog.getByLabel('Description').fill('Goodwill');
      await because(dialog);
    });
    await perform(
      rental(page, 'B207'),
      'Pay out the credit',
      async (dialog) => {
        await dialog.getByLabel('In cash').check();
        await expect(dialog.getByLabel('Check number')).toHaveCount(0);
        await dialog.getByLabel('By check').check();
        await dialog.getByLabel('Check number').fill('2001');
        await because(dialog, 'Moved away');
      },
      { says: /Paid out: \$25\.00.*B207 will owe \$0\.00\./ },
    );
    expect(await balances(portal, 'B207')).toEqual([0]);
    await expect(rental(page, 'B207').getByRole('button', { name: 'Pay out' })).toHaveCount(0);
    await openOffice(page, '/deposits');
    await expect(
      page.getByRole('region', { name: 'Takings of TXDFW03' }).getByRole('row', {
        name: /Check, given back.*-\$25\.00/,
      }),
    ).toBeVisible();
  });
  await expectSoundBooks(portal);

  await openOffice(page, '/audit');
  await page.getByRole('combobox', { name: 'Action' }).fill('waive');
  await page.getByRole('option', { name: 'Waive a charge' }).click();
  const event = page.getByRole('row', { name: /Waive a charge/ });
  await expect(event).toHaveCount(1);
  await expectAccessible(page);
  await expect(event).toContainText('Marcus Webb');
  await expect(event).toContainText('B207');
  await expect(event).toContainText('The charger was slow');
});
