import { afterEach, describe, expect, test } from 'vitest';
import { limits, readLimits } from '#config/limits.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { WIDE_LIMITS } from '#test/wide-limits.ts';
import type { ExitCode } from './runner.ts';
import { usersCommand } from './users.ts';
import { changeRows } from '#test/rows.ts';

const wide = readLimits(WIDE_LIMITS)!;

const api = useTestApp('demo_template');
afterEach(async () => {
  for (const table of [
    'sessions',
    'account_lookups',
    'mails',
    'audit_events',
    'limit_counts',
    'sign_in_tries',
  ] as const)
    await api.owner.deleteFrom(table).execute();
  await changeRows(api.owner, 'users', { disabled_at: null });
  api.ctx.config.limits = wide;
});

/** Runs the command as the terminal would; answers what it printed. */
async function cli(...args: string[]): Promise<string> {
  const printed: string[] = [];
  let code: ExitCode | undefined;
  const command = usersCommand(async (work) => {
    code = await work(api.ctx, { line: (text) => printed.push(text), progress: () => {} });
  });
  await command.exitOverride().parseAsync(args, { from: 'user' });
  expect(code).toBe(0);
  return printed.join('\n');
}

const tryToSignIn = async (password = DEMO_PASSWORD) => {
  const credentials = {
    username: 'dana@example.com',
    password,
    locationCode: 'TXDFW03',
    corporationCode: 'ANCHOR',
  };
  return (await api.call('POST', '/users/login', { body: credentials })).status;
};
const mails = () => readMails(api);
const events = async () =>
  (
    await api.owner
      .selectFrom('audit_events')
      .select(['kind', 'details'])
      .where('kind', 'like', 'user_%')
      .execute()
  ).map(({ kind, details }) => [kind, details?.by]);

describe('users disable', () => {
  // asvs 7.4.5
  test('ends every session at once, keeps the user out, and is told to the address and to the audit trail', async () => {
    const [here, there] = [
      await signIn(api, 'dana@example.com'),
      await signIn(api, 'dana@example.com'),
    ];
    expect(await cli('disable', 'Dana@Example.com')).toBe(
      'dana@example.com is disabled; sessions ended: 2.',
    );
    for (const { prefix, token } of [here, there])
      expect((await api.call('GET', `${prefix}/gate-access`, { token })).status).toBe(401);
    expect(await tryToSignIn()).toBe(401);
    expect(await mails()).toMatchObject([
      { to_address: 'dana@example.com', subject: 'Your sign-in was disabled' },
    ]);
    expect(await events()).toEqual([['user_disabled', 'command line']]);
    expect(await cli('disable', 'dana@example.com')).toContain('was disabled already');
    expect(await mails()).toHaveLength(1);
  });

  test('ends a registration that is under way', async () => {
    const lookup = {
      email: 'dana@example.com',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    };
    await api.call('POST', '/users/register', { body: lookup });
    await cli('disable', 'dana@example.com');
    expect(await api.owner.selectFrom('account_lookups').selectAll().execute()).toEqual([]);
  });

  test('is undone by users enable, with the same password', async () => {
    expect(await cli('enable', 'dana@example.com')).toBe('dana@example.com was not disabled.');
    await cli('disable', 'dana@example.com');
    expect(await cli('enable', 'dana@example.com')).toBe('dana@example.com is enabled.');
    expect(await tryToSignIn()).toBe(200);
    expect(await events()).toEqual([
      ['user_disabled', 'command line'],
      ['user_enabled', 'command line'],
    ]);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      'Your sign-in was disabled',
      'Your sign-in was enabled',
    ]);
  });

  test('with --dry-run says what would be done, and does nothing', async () => {
    const { prefix, token } = await signIn(api, 'dana@example.com');
    expect(JSON.parse(await cli('disable', 'dana@example.com', '--dry-run', '--json'))).toEqual({
      dryRun: true,
      action: 'disabled',
      email: 'dana@example.com',
      isChanged: true,
      ended: 1,
    });
    expect((await api.call('GET', `${prefix}/gate-access`, { token })).status).toBe(200);
    expect([await mails(), await events()]).toEqual([[], []]);
  });

  test('of nobody is refused in a sentence', async () => {
    await expect(cli('disable', 'nobody@example.com')).rejects.toThrow(
      'Nobody signs in as nobody@example.com.',
    );
  });
});

describe('users unlock', () => {
  test('lets an owner in who would have to wait', async () => {
    for (let tries = 0; tries < 5; tries += 1) expect(await tryToSignIn('wrong')).toBe(401);
    expect(await tryToSignIn()).toBe(429);
    expect(await cli('unlock', 'dana@example.com')).toBe(
      'dana@example.com is unlocked; counts forgotten: 1.',
    );
    expect(await tryToSignIn()).toBe(200);
    expect(await events()).toEqual([['user_unlocked', 'command line']]);
    expect(await cli('unlock', 'dana@example.com')).toBe(
      'dana@example.com has nothing to wait for.',
    );
  });

  test('gives the codes of an hour back, of each network and device', async () => {
    api.ctx.config.limits = limits;
    const { body } = await api.call('POST', '/users/login', {
      body: {
        username: 'dana@example.com',
        password: DEMO_PASSWORD,
        locationCode: 'TXDFW03',
        corporationCode: 'ANCHOR',
      },
    });
    const lookup = {
      email: 'dana@example.com',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    };
    const ask = async (device?: unknown) =>
      (await api.call('POST', '/users/register', { body: { ...lookup, device } })).status;
    const all = async () => [
      ...[await ask(), await ask(), await ask()],
      ...[await ask(body.device), await ask(body.device), await ask(body.device)],
      await ask(body.device),
    ];
    const answers = [200, 200, 429, 200, 200, 200, 429];
    expect(await all()).toEqual(answers);
    await cli('unlock', 'dana@example.com');
    expect(await all()).toEqual(answers);
  });
});

describe('users invite', () => {
  const invite = (email: string, ...more: string[]) =>
    cli('invite', email, '--facility', 'TXDFW03', ...more);

  test('mails the way to register to the address on file', async () => {
    expect(await invite('NEWCOMER@example.com')).toBe('newcomer@example.com is invited by mail.');
    const [mail] = await mails();
    expect(mail).toMatchObject({
      to_address: 'newcomer@example.com',
      subject: 'Your account at Anchor & Axle Eagle Mountain',
    });
    expect(mail?.text).toContain('http://localhost:3000/register');
    expect(await events()).toEqual([['user_invited', 'command line']]);
  });

  test.each([
    [
      'an address that is not on file there',
      'maria@example.com',
      'No tenant record at TXDFW03 has the address',
    ],
    ['who has a sign-in', 'dana@example.com', 'has a sign-in already'],
  ])('refuses %s, and mails nothing', async (_, email, sentence) => {
    await expect(invite(email)).rejects.toThrow(sentence);
    expect(await mails()).toEqual([]);
  });

  test('refuses a facility that there is not', async () => {
    const unknown = cli('invite', 'newcomer@example.com', '--facility', 'NOWHERE');
    await expect(unknown).rejects.toThrow('There is no facility NOWHERE.');
  });

  test('mails an address three times a day at most', async () => {
    api.ctx.config.limits = limits;
    for (let times = 0; times < 3; times += 1) await invite('newcomer@example.com');
    await expect(invite('newcomer@example.com')).rejects.toThrow(
      'This address was invited several times today.',
    );
    expect(await mails()).toHaveLength(3);
  });

  test('with --dry-run mails nothing', async () => {
    expect(await invite('newcomer@example.com', '--dry-run')).toBe(
      'newcomer@example.com would be invited by mail.',
    );
    expect(await mails()).toEqual([]);
  });
});
