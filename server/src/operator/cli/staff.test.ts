import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { cliOf } from '#test/cli.ts';
import { readMails } from '#test/mails.ts';
import { callOffice, tokenIn } from '#test/office.ts';

const api = useTestApp('empty_template');
const cli = cliOf(api, 'staff');

test('the first owner is invited from the command line, signs in, and is recovered there', async () => {
  expect(await cli('list')).toMatch(/^There is no staff yet/);
  const invite = ['invite', 'june@example.com', '--role', 'owner', '--by', 'root'];
  await expect(cli(...invite)).rejects.toThrow(
    'The database has no operator ANCHOR yet: name it with --operator “Its name, as tenants read it”, or import first.',
  );
  expect(await cli(...invite, '--operator', 'Anchor & Axle')).toBe(
    'june@example.com is invited by mail as owner of all facilities.',
  );
  expect((await readMails(api))[0]!.text).toContain('Anchor & Axle');
  const token = /\/office\/invitation#([\w-]+)/.exec((await readMails(api))[0]!.text)![1]!;
  const accepted = await callOffice(api, 'POST', '/office/invitations/accept', {
    body: { token, name: 'June Park', password: 'a long enough one' },
  });
  expect(accepted.body.me).toMatchObject({ role: 'owner', isForAllFacilities: true });
  expect(await cli('list')).toMatch(/^june@example.com +owner +active +one step +all facilities$/);
  expect(await cli('reset-second-step', 'june@example.com')).toBe('june@example.com: active.');
  const as = tokenIn(accepted)!;
  expect((await callOffice(api, 'GET', '/office/me', { as })).status).toBe(401);
  const events = await api.owner
    .selectFrom('audit_events')
    .select('details')
    .where('kind', '=', 'staff_account_changed')
    .orderBy('id')
    .execute();
  expect(events.map(({ details }) => [details!.by, details!.change])).toEqual([
    ['root', 'invited as owner'],
    ['June Park', 'password set'],
    [expect.any(String), 'second step reset'],
  ]);
});

test('a command that cannot be done says why', async () => {
  const invite = (...args: string[]) => cli('invite', ...args);
  await expect(invite('june@example.com', '--role', 'clerk')).rejects.toThrow(
    'is a member of staff already',
  );
  await expect(invite('no address', '--role', 'clerk')).rejects.toThrow('must look like');
  await expect(invite('a@example.com', '--role', 'clerk', '--facility', 'NOWHERE')).rejects.toThrow(
    'One of the facilities is not there.',
  );
  await expect(invite('a@example.com', '--role', 'owner', '--facility', 'X')).rejects.toThrow(
    'An owner is for all facilities',
  );
  await expect(cli('disable', 'nobody@example.com')).rejects.toThrow('No member of staff');
  await expect(cli('disable', 'june@example.com')).rejects.toThrow('One owner at least');
});

test.each([' ', 'A\u200bB', '=A1', 'x'.repeat(101)])('no operator is named %j', async (name) => {
  const invite = ['invite', 'max@example.com', '--role', 'owner', '--operator', name];
  await expect(cli(...invite)).rejects.toThrow('It must be a name');
});

test('the name of an operator that is there is not changed by an invitation', async () => {
  await expect(
    cli('invite', 'max@example.com', '--role', 'owner', '--operator', 'Other Storage'),
  ).rejects.toThrow('The operator is there already, as Anchor & Axle: leave --operator out.');
  await cli('invite', 'max@example.com', '--role', 'owner', '--operator', 'Anchor & Axle');
  expect(await api.sql`SELECT code, name FROM corporations`).toEqual([
    { code: 'ANCHOR', name: 'Anchor & Axle' },
  ]);
});

test.each(['invite', 'disable', 'unlock'])(
  '`staff %s` notes no name that begins a formula or hides a character',
  async (action) => {
    const args = [action, 'june@example.com', ...(action === 'invite' ? ['--role', 'clerk'] : [])];
    for (const by of ['=HYPERLINK(1)', 'ro\u200bot'])
      await expect(cli(...args, '--by', by)).rejects.toThrow('It must be a name without invisible');
  },
);
