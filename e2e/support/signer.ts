import { initialsOf, signingAgreement } from '@gatehouse/contract/signing';
import { t } from '@gatehouse/language/t';
import type { Page } from '@playwright/test';
import { expect, type Portal, signIn } from './portal.ts';
import { openDetails, openMyUnits, rentalCard, row } from './tenant.ts';

/** Opens the document of Dana's A101 that waits for a signature, from My Units. */
export async function openDocument(page: Page, portal: Portal): Promise<void> {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await openDetails(page);
  await row(rentalCard(page, 'A101'), t('E-sign Status (Required)'))
    .getByRole('link', { name: t('Needs\u00a0E-sign') })
    .click();
  await expect(page.getByRole('button', { name: t('Read the document') })).toBeVisible();
}

/** Ticks the consent and opens the document, which has that many places to sign. */
export async function agree(page: Page, all = 2): Promise<void> {
  await page.getByLabel(signingAgreement()).check();
  await page.getByRole('button', { name: t('Read the document') }).click();
  await expect(page.getByText(t('{done} of {all} places signed', { done: 0, all }))).toBeVisible();
}

/** The states of the page behind a link to sign by. */
export async function* bySigner(page: Page, portal: Portal): AsyncGenerator<string> {
  await openDocument(page, portal);
  await page.getByRole('button', { name: t('Read the document') }).click();
  await expect(page.getByText(t('Please tick the box to go on.'))).toBeVisible();
  yield 'sign-consent';
  await agree(page);
  yield 'sign-document';
  await page.getByRole('button', { name: t('Initial here') }).click();
  const initials = page.getByRole('dialog', { name: t('Your initials') });
  yield 'sign-initials';
  await initials.getByRole('button', { name: t('Initial here') }).click();
  await expect(page.getByText(initialsOf('Dana Reyes'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('Sign here') }).click();
  const form = page.getByRole('dialog', { name: t('Your signature') });
  await form.getByLabel(t('Draw it')).check();
  await form.getByRole('button', { name: t('Sign here') }).click();
  await expect(form.getByText(t('Please draw your signature.'))).toBeVisible();
  yield 'sign-adopt';
  await draw(page);
  await form.getByRole('button', { name: t('Sign here') }).click();
  const finish = page.getByRole('button', { name: t('Sign the document') });
  await expect(finish).toBeVisible();
  yield 'sign-ready';
  await page.getByRole('button', { name: t('Decline') }).click();
  const decline = page.getByRole('dialog', { name: t('Decline the document') });
  await expect(decline).toBeVisible();
  yield 'sign-decline';
  await decline.getByRole('button', { name: t('Cancel') }).click();
  await finish.click();
  await expect(page.getByText(t('The document is signed.'))).toBeVisible();
  yield 'sign-done';
  await page.goto('/sign/rdo_x');
  await expect(page.getByRole('link', { name: t('Sign in') })).toBeVisible();
  yield 'sign-dead';
}

/** Draws two strokes into the box. */
export async function draw(page: Page): Promise<void> {
  const image = page.getByRole('img', { name: t('Box to draw your signature in') });
  await image.scrollIntoViewIfNeeded();
  const box = (await image.boundingBox())!;
  for (const from of [0.2, 0.5]) {
    await page.mouse.move(box.x + box.width * from, box.y + box.height * 0.7);
    await page.mouse.down();
    for (const [x, y] of [
      [0.06, 0.2],
      [0.12, 0.7],
      [0.2, 0.4],
    ] as const)
      await page.mouse.move(box.x + box.width * (from + x), box.y + box.height * y);
    await page.mouse.up();
  }
}
