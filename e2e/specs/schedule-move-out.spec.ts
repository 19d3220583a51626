import { expect, signIn, test } from '../support/portal.ts';

test('Schedule Move-out has no form of its own', { tag: '@smoke' }, async ({ page, portal }) => {
  // spec 1.15, 2.7, 2.107, 2.108
  await test.step('Schedule Move-out points to the operator’s form on another website and does nothing itself', async () => {
    await signIn(page, portal, 'dana@example.com');
    const sent: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
    await page.goto('/schedule-move-out');
    await expect(page.getByRole('heading', { level: 1, name: 'Schedule Move-Out' })).toBeVisible();
    await expect(page.getByText('please fill in the move-out form on our website')).toBeVisible();
    const link = page.getByRole('link', { name: 'Go to the move-out form' });
    await expect(link).toHaveAttribute('href', /^https:\/\//);
    expect(new URL((await link.getAttribute('href'))!).origin).not.toBe(new URL(page.url()).origin);
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    expect(sent).toEqual([]);
    // What will happen, and what it costs.
    await expect(page.getByRole('region', { name: 'What happens then' })).toContainText(
      'Rent and gate code go on until then.',
    );
    const costs = page.getByRole('region', { name: 'What it costs' });
    await expect(costs).toContainText('A101 $214.50 owed today');
    await expect(costs).toContainText('Nothing owed todayRent $168.00 a month until you leave');
  });
  await test.step('a facility without a move-out form asks for a call', async () => {
    await portal.sql('UPDATE facilities SET move_out_url = NULL');
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/schedule-move-out');
    await expect(
      page.getByText('To schedule your move-out, please call the facility.'),
    ).toBeVisible();
    await expect(
      page.getByRole('main').getByRole('link', { name: '(817) 555-0103' }),
    ).toHaveAttribute('href', 'tel:+18175550103');
  });
});
