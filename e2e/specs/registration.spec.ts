import type { Page } from '@playwright/test';
import { mailsTo, newestCode } from '../support/mailbox.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';

const NEWCOMER = 'newcomer@example.com';

/** The heading of a step that was reached: it has the focus. */
const steps = [
  'Account Lookup',
  'Verify Email Address',
  'Set your password',
  'Registration Success',
];

async function expectStep(page: Page, title: string) {
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(title);
  await expect(heading).toHaveAccessibleDescription(`Step ${steps.indexOf(title) + 1} of 4`);
  await expect(heading).toBeFocused();
}

/** Submits twice: the second is ignored while the first is under way. */
async function lookUp(page: Page, email: string) {
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill(email);
  await clickTwice(page.getByRole('button', { name: 'Submit' }));
  await expectStep(page, 'Verify Email Address');
}

async function enterCode(page: Page, code: string) {
  await page.getByLabel('Verification Code').fill(code);
  await clickTwice(page.getByRole('button', { name: 'Submit' }));
}

/** The location and the address of the lookup are there already. */
async function signInHere(page: Page, email: string, password: string) {
  await expect(page.getByRole('button', { name: 'Change location' })).toBeVisible();
  await expect(page.getByLabel('Email Address')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
}

// spec 1.16, 1.18, 1.19, 1.20, 1.21, 2.9, 2.41, 2.42, 2.43, 2.44, 2.45, 2.46, 2.47, 2.49, 2.50
// spec 2.51, 2.53, 2.54, 2.55, 2.56, 4.12, 4.13, 4.14, 4.64, 5.8, 7.5, 7.6, 7.7, 7.9, 7.10, 7.12
// spec 7.13, 7.14, 7.15, 8.2
test(
  'a newcomer registers with the code from the mailbox, and signs in',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const bodies = ['register', 'verify', 'password-update', 'login'].map((end) =>
      bodiesOf(page, `/users/${end}`),
    );
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(page).toHaveURL(/\/register$/);
    await expectStep(page, 'Account Lookup');
    await expect(page.getByRole('link', { name: 'Back to Sign In' })).toHaveAttribute(
      'href',
      '/login',
    );
    await expect(page.getByLabel('Email Address')).toHaveAttribute('type', 'email');
    await lookUp(page, NEWCOMER);
    const notice = page.getByRole('status');
    await expect(notice).toContainText(
      `An email with the verification code was sent to ${NEWCOMER}.`,
    );
    await expect(notice).toContainText(
      'It may take a minute. Please look in your spam folder too.',
    );
    const field = page.getByLabel('Verification Code');
    await expect(field).toHaveAttribute('inputmode', 'numeric');
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');

    const code = await newestCode(page, portal, NEWCOMER);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    await enterCode(page, wrong);
    await expect(page.getByRole('alert')).toHaveText('The verification code is invalid');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/The verification code is invalid$/);
    // As it is often copied: in groups, with what a mail program adds around it.
    await enterCode(page, `\u200B${code.slice(0, 4)}-${code.slice(4)}\u00A0`);
    await expectStep(page, 'Set your password');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
      'autocomplete',
      'new-password',
    );
    await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
    await clickTwice(page.getByRole('button', { name: 'Submit' }));
    await expectStep(page, 'Registration Success');
    await expect(page.getByText('You have successfully setup your account.')).toBeVisible();
    const stored = await page.evaluate(() => JSON.stringify(localStorage));
    const device = expect.stringMatching(/^rdt_/) as unknown;
    expect(JSON.parse((JSON.parse(stored) as { gatehouse: string }).gatehouse)).toEqual({
      device,
      remembered: { locationCode: 'TXDFW03' },
    });

    await page.getByRole('link', { name: 'Sign in to your account' }).click();
    await expect(page).toHaveURL(/\/login$/);
    // Location and address are handed over.
    await expect(page.getByLabel('Select your location')).toHaveValue('TXDFW03');
    await expect(page.getByLabel('Email Address')).toHaveValue(NEWCOMER);
    await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();

    const corporationCode = 'ANCHOR';
    const { token } = (bodies[1] as { token: string }[])[0]!;
    expect(token).toMatch(/^rgt_/);
    expect(bodies).toEqual([
      [{ email: NEWCOMER, locationCode: 'TXDFW03', corporationCode }],
      [
        { token, code: wrong, corporationCode },
        { token, code, corporationCode },
      ],
      [{ token, password: 'tide-table 1994', corporationCode }],
      [
        {
          username: NEWCOMER,
          password: 'tide-table 1994',
          locationCode: 'TXDFW03',
          corporationCode,
          device,
          proofKey: expect.any(String) as unknown,
        },
      ],
    ]);
  },
);

// spec 2.48, 4.15, 4.64, 8.2
test('Resend sends another code and says so, and only that one works', async ({ page, portal }) => {
  await page.goto('/register');
  await lookUp(page, NEWCOMER);
  const first = await newestCode(page, portal, NEWCOMER);
  await page.getByLabel('Verification Code').fill(first);
  const bodies = bodiesOf(page, '/users/register');
  await clickTwice(page.getByRole('button', { name: 'Resend' }));
  const notice = page.getByRole('status');
  await expect(notice).toContainText(
    `Another email with the verification code was sent to ${NEWCOMER}.`,
  );
  await expect(notice).toContainText('The code in the earlier email no longer works.');
  await expect(page.getByLabel('Verification Code')).toHaveValue('');
  expect(await mailsTo(page, portal, NEWCOMER)).toHaveLength(2);
  expect(bodies).toMatchObject([{ token: expect.stringMatching(/^rgt_/) as unknown }]);
  const second = await newestCode(page, portal, NEWCOMER);
  await enterCode(page, first);
  await expect(page.getByRole('alert')).toHaveText('The verification code is invalid');
  await enterCode(page, second);
  await expectStep(page, 'Set your password');
});

test('a stranger’s lookup does not end the code in flight, and a browser that signed in before is counted apart', async ({
  page,
  portal,
}) => {
  const bodies = bodiesOf(page, '/users/register');
  await signIn(page, portal, 'dana@example.com');
  const device = `rdt_${'A'.repeat(43)}`;
  await page.evaluate(
    (kept) => localStorage.setItem('gatehouse', kept),
    JSON.stringify({ device }),
  );
  await page.goto('/forgot-password');
  await lookUp(page, 'dana@example.com');
  const code = await newestCode(page, portal, 'dana@example.com');
  const data = { email: 'dana@example.com', locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  for (let nth = 0; nth < 2; nth += 1)
    expect((await page.request.post(`${portal.url}/api/users/register`, { data })).status()).toBe(
      200,
    );
  await enterCode(page, code);
  await expectStep(page, 'Set your password');
  expect(bodies).toEqual([{ ...data, device }]);
});

// spec 2.42, 8.2
test('with the keyboard only, an address that is not on file gets the same screens, and a mail that says so', async ({
  page,
  portal,
}) => {
  await page.goto('/register');
  const state = page.getByLabel('What state is your facility located?');
  await expect(state).toBeEnabled();
  await state.focus();
  await page.keyboard.type('Texas');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Select your location')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type('stranger@example.com');
  await page.keyboard.press('Enter');
  await expectStep(page, 'Verify Email Address');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12345678');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Resend' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The verification code is invalid');
  await expect(page.getByLabel('Verification Code')).toBeFocused();
  const [mail] = await mailsTo(page, portal, 'stranger@example.com');
  expect(mail?.text).toContain('not on file');
});

// spec 2.9, 4.13, 4.64, 5.8, 5.9, 5.10, 5.13, 8.3, 8.19
test('a forgotten password: each step says what is missing, a verify response without a success flag is a failure, and the address can be corrected', async ({
  page,
  portal,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await expectStep(page, 'Account Lookup');
  await expect(page.getByText('To set a new password, we first find your account.')).toBeVisible();
  const submit = page.getByRole('button', { name: 'Submit' });
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  await submit.click();
  await expect(page.getByText('State is required.')).toBeVisible();
  await expect(page.getByLabel('Select your location')).toHaveAccessibleDescription(
    'Choose the state first.',
  );
  await expect(page.getByText('Email Address is required.')).toBeVisible();
  await expect(page.getByLabel('What state is your facility located?')).toBeFocused();
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Email Address').fill('dana@example');
  await submit.click();
  await expect(page.getByText('Location is required.')).toBeVisible();
  await expect(page.getByText('Email Address must look like name@example.com.')).toBeVisible();
  await lookUp(page, 'dena@example.com');

  await page.getByRole('button', { name: 'Use a different email address' }).click();
  await expectStep(page, 'Account Lookup');
  await expect(page.getByLabel('Select your location')).toHaveValue('TXDFW03');
  await page.getByLabel('Email Address').fill('dana@example.com');
  await submit.click();
  await expectStep(page, 'Verify Email Address');
  await submit.click();
  await expect(page.getByText('Verification Code is required.')).toBeVisible();
  await expect(page.getByLabel('Verification Code')).toBeFocused();
  await page.route('**/users/verify', (route) => route.fulfill({ json: {} }));
  const code = await newestCode(page, portal, 'dana@example.com');
  await enterCode(page, code);
  await expect(page.getByRole('alert')).toHaveText('The verification code is invalid');
  await page.unroute('**/users/verify');
  await enterCode(page, code);
  await expectStep(page, 'Set your password');

  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Lookup');
  await expect(page.getByLabel('Email Address')).toHaveValue('');
});

// spec 2.52, 5.11, 5.12, 5.14, 8.5, 9.3
test('a new password has 8 to 20 characters, is not a common one, and ends the sessions there are', async ({
  page,
  portal,
  context,
}) => {
  const elsewhere = await context.newPage();
  await signIn(elsewhere, portal, 'dana@example.com');
  const session = await elsewhere.evaluate(() => localStorage.getItem('gatehouse') ?? '');
  await elsewhere.evaluate(() => localStorage.clear());

  await page.goto('/forgot-password');
  await lookUp(page, 'dana@example.com');
  await enterCode(page, await newestCode(page, portal, 'dana@example.com'));
  await expectStep(page, 'Set your password');
  const password = page.getByLabel('Password', { exact: true });
  const submit = page.getByRole('button', { name: 'Submit' });
  await submit.click();
  await expect(page.getByText('Password is required.')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill('harbour');
  await submit.click();
  await expect(page.getByText('Password must have at least 8 characters.')).toBeVisible();
  await password.fill('');
  await password.pressSequentially('twenty-one characters');
  await expect(password).toHaveValue('twenty-one characters');
  await expect(page.getByText('Password must have at most 20 characters.')).toBeVisible();
  await submit.click();
  await expect(page.getByText('Password must have at most 20 characters.')).toBeVisible();
  await password.press('Backspace');
  await expect(page.getByText('Password must have at most 20 characters.')).toHaveCount(0);
  await password.fill('password123');
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText(
    'This password is one of the most common ones. Please choose another.',
  );
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await password.fill('tide-table 1994');
  await submit.dblclick();
  await expectStep(page, 'Registration Success');

  const answer = await page.request.get(`${portal.url}/api/corporations/ANCHOR/locations/TXDFW03`, {
    headers: { authorization: `Bearer ${(JSON.parse(session) as { token: string }).token}` },
  });
  expect(answer.status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in to your account' }).click();
  await signInHere(page, 'dana@example.com', 'tide-table 1994');
});

// spec 7.8, 7.71, 8.5
test('what the server refuses is said in an alert: a location that is gone, a verification that is no longer valid', async ({
  page,
  portal,
}) => {
  await page.goto('/register');
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill(NEWCOMER);
  await portal.sql("UPDATE facilities SET location_code = 'GONE' WHERE location_code = 'TXDFW03'");
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert')).toHaveText('That location is not one of ours.');
  await portal.sql("UPDATE facilities SET location_code = 'TXDFW03' WHERE location_code = 'GONE'");
  await lookUp(page, NEWCOMER);
  await enterCode(page, await newestCode(page, portal, NEWCOMER));
  await expectStep(page, 'Set your password');
  await portal.sql('DELETE FROM account_lookups');
  await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Your verification is no longer valid. Please look up your account again.',
  );
  await page.getByRole('button', { name: 'Start again' }).click();
  await expectStep(page, 'Account Lookup');
});

test('a reload keeps the step, and what it needs is in this tab’s history entry only until it is done', async ({
  page,
  portal,
}) => {
  /** What would outlive the tab, or be read by another. */
  const shared = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  const entry = () => page.evaluate(() => JSON.stringify(history.state));
  await page.goto('/register');
  await lookUp(page, NEWCOMER);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify Email Address');
  await expect(page.getByRole('status')).toContainText(NEWCOMER);
  expect(await shared()).not.toMatch(/rgt_|newcomer/);
  const code = await newestCode(page, portal, NEWCOMER);
  await enterCode(page, code);
  await expectStep(page, 'Set your password');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set your password');
  await expect(page.getByText(NEWCOMER)).toBeVisible();
  expect(await shared()).not.toMatch(/rgt_|newcomer/);
  expect(await entry()).not.toContain(code);
  await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expectStep(page, 'Registration Success');
  expect(await entry()).not.toContain('rgt_');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Lookup');
});
