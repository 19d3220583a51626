import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { settled } from '../support/axe.ts';
import {
  because,
  chooseUnit,
  openOffice,
  openTenantOf,
  press,
  rental,
  selectRows,
  signInStaff,
} from '../support/office.ts';
import { expect, test, type Portal } from '../support/portal.ts';

const docs = join(import.meta.dirname, '../../docs/screens');

test.use({ viewport: { width: 1024, height: 768 } });

/** A job of the office: leads to the state of its picture. */
type Job = (page: Page, portal: Portal) => Promise<void>;

const jobs: Record<string, Job> = {
  today: async (page) => {
    await openOffice(page, '');
    await expect(page.getByText('Taken today')).toBeVisible();
  },
  find: async (page) => {
    await openOffice(page, '/tenants');
    await page.keyboard.press('/');
    await page.keyboard.type('rey');
    await expect(page.getByRole('option', { name: 'Dana Reyes' })).toBeVisible();
  },
  tenant: (page, portal) => openTenantOf(page, portal, 'A101'),
  payment: async (page, portal) => {
    await openTenantOf(page, portal, 'A101');
    await page.getByRole('button', { name: 'Take a payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  },
  books: async (page, portal) => {
    await openTenantOf(page, portal, 'A101');
    await page.getByRole('tab', { name: 'Books' }).click();
    await page
      .getByRole('row', { name: /Visa|payment/i })
      .first()
      .click();
  },
  waive: async (page, portal) => {
    await openTenantOf(page, portal, 'A101');
    await rental(page, 'A101').getByRole('button', { name: 'Waive' }).last().click();
    const dialog = page.getByRole('dialog');
    await because(dialog, 'The gate was out of order');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  },
  quote: async (page, portal) => {
    await openTenantOf(page, portal, 'E022');
    await press(page, 'Quote');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill(TEST_DAY);
    await chooseUnit(dialog, 'C009');
    await dialog.getByRole('combobox', { name: 'Discount' }).click();
    await page.getByRole('option', { name: /^Military/ }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  },
  late: async (page) => {
    await openOffice(page, '/late');
    await selectRows(page, 'A101', 'P118');
    await page.getByRole('row', { name: /P118/ }).getByRole('checkbox').uncheck();
    await page.getByRole('button', { name: 'Mail a notice' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').selectOption('Standard');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  },
  rates: async (page) => {
    await openOffice(page, '/rates');
    await selectRows(page, 'A117', 'B115');
  },
  reports: async (page) => {
    await openOffice(page, '/reports');
    await page.getByRole('tab', { name: 'Occupancy' }).click();
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible();
  },
  settings: (page) => openOffice(page, '/settings'),
  staff: (page) => openOffice(page, '/staff'),
  audit: async (page, portal) => {
    await openTenantOf(page, portal, 'A101');
    await openOffice(page, '/audit');
  },
};

for (const [name, job] of Object.entries(jobs))
  test(`pictures: office ${name}`, async ({ page, portal }) => {
    await signInStaff(page, portal, 'owner');
    await job(page, portal);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await settled(page, 'light');
    const path = join(docs, `office-${name}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: 60 });
  });
