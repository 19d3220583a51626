import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#context/context.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { runCli } from '#test/cli.ts';
import { noisePng } from '#test/photos.ts';
import { findRows } from '#test/rows.ts';

const api = useTestApp('demo_template');
let reference: string;
beforeEach(async () => {
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('mails').execute();
  const { token, prefix, tenantIds } = await signIn(api, 'lee@example.com');
  const { body: ledgers } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, {
    token,
  });
  const path = `${prefix}/ledgers/${ledgers[0].id}/move-out`;
  reference = (await api.call('POST', path, { token, body: { reason: 'I sold the boat.' } })).body
    .reference;
});

const cli = (args: string[], ctx: Context = api.ctx) => runCli({ ...api, ctx }, 'requests', args);

const tenantMails = async () => {
  const mails = await findRows(api.owner, 'mails', ['to_address', 'subject']);
  return mails.filter(({ to_address }) => to_address === 'lee@example.com');
};

describe('npm run cli -- requests', () => {
  test('lists what is open, by facility and status, and all on demand', async () => {
    expect(await cli(['list'])).toMatchObject({
      lines: [
        expect.stringMatching(
          new RegExp(`^${reference}  New  TXDFW03  \\S+ \\S+ UTC  Move-out, unit \\w+$`),
        ),
      ],
      code: 0,
    });
    expect((await cli(['list', '--facility', 'AZPHX01'])).lines).toEqual(['There are none.']);
    await expect(cli(['list', '--facility', 'NOWHERE'])).rejects.toThrow(
      'There is no facility NOWHERE.',
    );
    await cli(['close', reference]);
    expect((await cli(['list'])).lines).toEqual(['There are none.']);
    const { lines } = await cli(['list', '--status', 'done', '--json']);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      requests: [{ reference, kind: 'move_out', status: 'done' }],
    });
    expect((await cli(['list', '--all'])).lines).toHaveLength(1);
    await expect(cli(['list', '--status', 'lost'])).rejects.toThrow(CommanderError);
  });

  test('shows a request by an event of the audit trail', async () => {
    await cli(['show', reference, '--by', 'Ana', '--why', 'called']);
    const noted = await findRows(api.owner, 'audit_events', ['tenant_id', 'details'], {
      kind: 'staff_action',
    });
    expect(noted.at(-1)).toMatchObject({
      tenant_id: expect.any(String),
      details: { verb: 'records.show', by: 'Ana', why: 'called', shows: 'requests show' },
    });
  });

  test('replies and closes as staff do, mails the tenant, and shows what was done', async () => {
    const replied = await cli(['reply', reference, '--text', 'When?', '--by', 'Kim, front desk']);
    expect(replied).toMatchObject({
      lines: [`${reference}: a reply to the tenant, status In progress.`],
      code: 0,
    });
    expect((await cli(['close', reference])).lines).toEqual([`${reference}: status Done.`]);
    expect(await tenantMails()).toHaveLength(2);
    const shown = (await cli(['show', reference])).lines.join('\n');
    for (const text of [
      `${reference}  Done`,
      '> I sold the boat.',
      'Kim, front desk (cli)',
      '    When?',
      'operator (cli)',
    ])
      expect(shown).toContain(text);
    const { lines } = await cli(['show', reference, '--json', '--by', 'Ana']);
    expect(
      (JSON.parse(lines[0]!) as { events: { kind: string }[] }).events.map(({ kind }) => kind),
    ).toEqual(['created', 'replied', 'status_changed', 'status_changed']);
  });

  test('keeps the photo of a request in a new file, for the owner alone', async () => {
    const { token, prefix, tenantIds } = await signIn(api, 'lee@example.com');
    const { body: ledgers } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, {
      token,
    });
    const imageData = `data:image/png;base64,${(await noisePng()).toString('base64')}`;
    const body = {
      ledgerId: ledgers[0].id,
      issueType: 'gate',
      issueDescription: 'It hangs.',
      imageData,
    };
    const asked = (await api.call('POST', `${prefix}/maintenance-requests`, { token, body })).body
      .reference as string;
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
    try {
      const file = join(folder, 'photo.jpg');
      expect((await cli(['show', asked, '--photo', file])).code).toBe(0);
      expect((await readFile(file)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await writeFile(file, 'mine');
      await expect(cli(['show', asked, '--photo', file])).rejects.toThrow(
        `${file} is there already.`,
      );
      expect(await readFile(file, 'utf8')).toBe('mine');
      await expect(cli(['show', asked, '--photo', join(folder, 'no/photo.jpg')])).rejects.toThrow(
        'photo.jpg cannot be written (ENOENT).',
      );
      await expect(cli(['show', reference, '--photo', join(folder, 'other.jpg')])).rejects.toThrow(
        `${reference} came without a photo.`,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('dry, says what it would do and does nothing', async () => {
    expect((await cli(['reply', reference, '--text', 'When?', '--dry-run'])).lines).toEqual([
      `${reference}: a reply to the tenant, status In progress; nothing was changed.`,
    ]);
    expect(await tenantMails()).toEqual([]);
    expect((await cli(['list', '--status', 'new'])).lines).toHaveLength(1);
  });

  test.each([
    [['show', 'R-1'], 'There is no request R-1.'],
    [['reply', 'R-1', '--text', 'x'], 'There is no request R-1.'],
    [['reply', '{}', '--text', ' '], 'The reply is empty.'],
    [['reply', '{}', '--text', 'x'.repeat(2001)], 'The reply is too long'],
    [['replay', '--dead'], 'WEBHOOK_URL is not set'],
    [['recipients', 'add', '--facility', 'TXDFW03', 'nobody'], '"nobody" is no mail address.'],
  ])('refuses %j in a sentence', async (args, sentence) => {
    await expect(cli(args.map((arg) => arg.replace('{}', reference)))).rejects.toThrow(sentence);
  });

  test('closes a request once', async () => {
    await cli(['close', reference]);
    await expect(cli(['close', reference])).rejects.toThrow(
      'Please write a reply or choose another status.',
    );
    expect(await tenantMails()).toHaveLength(1);
  });

  test('sends events again, and says how many there would be', async () => {
    const webhook = { url: 'http://127.0.0.1:1/', secret: 'x'.repeat(32), refusesPrivate: false };
    const ctx = { ...api.ctx, config: { ...api.ctx.config, webhook } };
    expect((await cli(['replay', '--since', '2026-01-01', '--dry-run'], ctx)).lines).toEqual([
      '1 events would be sent again.',
    ]);
    expect((await cli(['replay', '--since', '2026-01-01'], ctx)).lines).toEqual([
      '1 events are sent again.',
    ]);
    expect((await cli(['replay', '--dead', '--json'], ctx)).lines).toEqual([
      '{"dryRun":false,"events":0}',
    ]);
    await expect(cli(['replay'], ctx)).rejects.toThrow(CommanderError);
  });

  test('sets who is mailed', async () => {
    const at = ['--facility', 'TXDFW03'];
    const kind = ['--kind', 'move_out'];
    const own = 'all others  eagle-mountain@anchor-axle.example';
    expect((await cli(['recipients', 'add', ...at, ...kind, 'out@example.com'])).lines).toEqual([
      '1 added.',
      'move_out  out@example.com',
      own,
    ]);
    expect(
      (await cli(['recipients', 'add', ...at, 'all@example.com', '--dry-run'])).lines,
    ).toHaveLength(2);
    expect((await cli(['recipients', 'add', ...at, 'all@example.com'])).lines).toEqual([
      '1 added.',
      'every kind  all@example.com',
      'move_out  out@example.com',
    ]);
    expect(
      (await cli(['recipients', 'remove', ...at, 'all@example.com', 'out@example.com'])).lines[0],
    ).toBe('1 removed.');
    expect((await cli(['recipients', 'list', ...at])).lines).toEqual([
      'move_out  out@example.com',
      own,
    ]);
  });
});
