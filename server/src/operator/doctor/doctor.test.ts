import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Config } from '#config/config.ts';
import { noteKeys } from '#db/known-keys.ts';
import { useTestApp } from '#test/app.ts';
import { openReceiver } from '#test/receiver.ts';
import { openSmtpSink } from '#test/smtp.ts';
import { fromNow, testClockShift } from '#test/test-day.ts';
import { examine } from './checks.ts';
import type { Finding } from '#features/desk/going-live/finding.ts';

const api = useTestApp('demo_template');
beforeAll(async () => {
  await noteKeys(api.owner, api.ctx.config);
});

async function findings(change: Partial<Config> = {}, sendMailTo?: string): Promise<Finding[]> {
  const config = { ...api.ctx.config, clockShiftMs: testClockShift(), ...change };
  return examine({ config, db: api.owner, sendMailTo }, () => {});
}

function about(found: Finding[], subject: string): Finding[] {
  return found.filter((one) => one.subject === subject);
}

test('a healthy server has no findings to fix, and each subject is reported', async () => {
  const found = await findings();
  // The load and the free space of this machine are not under test.
  const ours = found.filter(({ subject }) => !['database', 'disk'].includes(subject));
  expect(ours.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(new Set(found.map(({ subject }) => subject)).size).toBe(23);
});

test.each<[string, string, () => Promise<unknown>, RegExp]>([
  [
    'zones',
    'fault',
    () =>
      sql`UPDATE facilities SET time_zone = 'America/Nowhere' WHERE location_code = 'TXDFW03'`.execute(
        api.owner,
      ),
    /TXDFW03 with America\/Nowhere/,
  ],
  [
    'operator',
    'warning',
    () =>
      sql`UPDATE facilities SET phone = NULL WHERE location_code = 'TXDFW03'`.execute(api.owner),
    /1 facilities have no mail address or no phone/,
  ],
  [
    'operator',
    'fault',
    () =>
      sql`WITH other AS (INSERT INTO corporations (code, name) VALUES ('OTHER', 'Other') RETURNING id)
        UPDATE facilities SET corporation_id = other.id FROM other`.execute(api.owner),
    /has no facility yet: nobody can rent or sign up/,
  ],
  [
    'owner',
    'warning',
    () =>
      sql`UPDATE staff_members SET password_hash = NULL, name = NULL WHERE role = 'owner'`.execute(
        api.owner,
      ),
    /An owner is invited and has not accepted yet/,
  ],
  [
    'owner',
    'warning',
    () => sql`UPDATE staff_members SET role = 'manager' WHERE role = 'owner'`.execute(api.owner),
    /No owner can sign in to the office/,
  ],
  [
    'keys',
    'warning',
    () => sql`UPDATE known_keys SET first_seen_at = now() - interval '401 days'`.execute(api.owner),
    /is 401 days old/,
  ],
  [
    'keys',
    'fault',
    () => sql`UPDATE gate_codes SET access_code = 'sealed:1:0123456789abcdef:x'`.execute(api.owner),
    /sealed under the key 0123456789abcdef, which DATA_KEYS lacks/,
  ],
  [
    'jobs',
    'fault',
    () =>
      sql`INSERT INTO pgboss.job (name, start_after, policy) VALUES ('deliver-mail', now() - interval '1 hour', 'standard')`.execute(
        api.owner,
      ),
    /A job \(deliver-mail\) has been due for 36\d\d s/,
  ],
  [
    'jobs',
    'warning',
    () =>
      sql`INSERT INTO mails (to_address, subject, kind, language, text_body, html_body, created_at)
        VALUES ('a@example.com', 'x', 'legal', 'en', 'sealed:1:x', 'sealed:1:x', ${fromNow(-3_600_000)})`.execute(
        api.owner,
      ),
    /1 mails of more than 15 minutes ago/,
  ],
  [
    'alarms',
    'warning',
    () =>
      sql`INSERT INTO alarms (kind, key, sentence, facts, raised_at) VALUES ('unknown_zone', 'k', 'x', '{}', ${fromNow(0)})`.execute(
        api.owner,
      ),
    /1 alarms were raised within a day: unknown_zone/,
  ],
  [
    'books',
    'fault',
    () =>
      sql`UPDATE ledgers SET balance_cents = balance_cents + 100 WHERE id = (
        SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id ORDER BY u.name LIMIT 1)`.execute(
        api.owner,
      ),
    /The books of 1 of \d+ rentals are not sound: unit \w+ at \w+ \(I1\): The balance is/,
  ],
  [
    'books',
    'fault',
    () => sql`GRANT UPDATE ON entries TO gatehouse_work`.execute(api.owner),
    /may change or delete what is written once: entries\./,
  ],
  [
    'migrations',
    'fault',
    () =>
      sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999_later', 'x')`.execute(
        api.owner,
      ),
    /A newer version has been here: it ran 9999_later/,
  ],
])('%s: a %s that is there is found', async (subject, level, plant, says) => {
  await api.sql`BEGIN`;
  try {
    await plant();
    const found = about(await findings(), subject);
    expect(found.map((one) => `${one.level} ${one.says}`).join('\n')).toMatch(
      new RegExp(`${level} .*${says.source}`),
    );
  } finally {
    await api.sql`ROLLBACK`;
  }
});

test('a live portal is warned of a missing backup, uncounted proxies and a gateway that moves no money', async () => {
  const found = await findings({
    profile: 'live',
    publicUrl: 'https://127.0.0.1:1',
    office: null,
    trustedHops: 0,
  });
  for (const subject of ['backups', 'proxies', 'gateway'])
    expect(about(found, subject)[0]).toMatchObject({ level: 'fault' });
});

test('a way to a database elsewhere whose certificate is not verified is a warning', async () => {
  const found = async (change: Partial<Config>) => about(await findings(change), 'database');
  const [away, verified] = [
    'postgresql://db/x?sslmode=require',
    'postgresql://db/x?sslmode=verify-full',
  ];
  expect(await found({ databaseUrl: away })).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      says: 'DATABASE_URL names another machine, whose certificate is not verified.',
      todo: 'Add sslmode=verify-full to DATABASE_URL.',
    }),
  );
  for (const databaseUrl of [verified, 'postgresql://127.0.0.1/x', undefined])
    expect(await found({ databaseUrl })).not.toContainEqual(
      expect.objectContaining({ says: expect.stringContaining('certificate') as string }),
    );
});

test('the mail server is checked, and gets a mail only where one is asked for', async () => {
  const sink = await openSmtpSink(0);
  const smtpUrl = `smtp://127.0.0.1:${sink.port}`;
  expect(about(await findings({ smtpUrl }), 'mail')).toMatchObject([{ level: 'ok' }]);
  expect(sink.received).toEqual([]);
  expect(about(await findings({ smtpUrl }, 'you@example.com'), 'mail')).toMatchObject([
    { level: 'ok' },
    { level: 'ok' },
  ]);
  expect(sink.received).toHaveLength(1);
  await sink.close();
  expect(about(await findings({ smtpUrl }), 'mail')).toMatchObject([
    { level: 'fault', says: expect.stringMatching(/ECONNECTION|ESOCKET/) as string },
  ]);
});

test('Twilio is asked for its account, and sends nothing', async () => {
  const asked: string[] = [];
  let status = 'active';
  const twilio = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isOurs = request.headers.authorization === `Basic ${btoa('AC1:token')}`;
    response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status }));
  }).listen(0, '127.0.0.1');
  await once(twilio, 'listening');
  const { port } = twilio.address() as AddressInfo;
  const settings = { accountSid: 'AC1', from: '+15005550006', apiUrl: `http://127.0.0.1:${port}` };
  const found = async (authToken: string) =>
    about(await findings({ texts: { kind: 'twilio', authToken, ...settings } }), 'text messages');
  expect(await found('token')).toMatchObject([{ level: 'ok' }]);
  expect(await found('wrong')).toMatchObject([
    { level: 'fault', says: 'Twilio does not take us in: it refuses the account or its token.' },
  ]);
  status = 'suspended';
  expect(await found('token')).toMatchObject([
    { level: 'fault', says: 'Twilio does not take us in: the account is suspended.' },
  ]);
  expect(asked).toEqual(Array(3).fill('GET /2010-04-01/Accounts/AC1.json'));
  twilio.close();
  twilio.closeAllConnections();
  expect(await found('token')).toMatchObject([
    { level: 'fault', says: expect.stringContaining('it cannot be reached') as string },
  ]);
});

test('a webhook is sent a signed ping, and one that does not accept it is a fault', async () => {
  const receiver = await openReceiver('a-secret');
  const webhook = { url: receiver.url, secret: 'a-secret', refusesPrivate: false };
  expect(about(await findings({ webhook }), 'webhook')).toMatchObject([{ level: 'ok' }]);
  expect(receiver.received).toMatchObject([{ isSigned: true, message: { type: 'ping' } }]);
  receiver.answer(() => ({ status: 302, headers: { location: receiver.url } }));
  expect(about(await findings({ webhook }), 'webhook')).toMatchObject([
    {
      level: 'fault',
      says: 'A ping was not taken: the other side redirects (302), which is not followed.',
    },
  ]);
  await receiver.close();
});

test('a gate’s folder is written to, and nothing of it is left; one that cannot be used is a fault', async () => {
  const folder = join(api.ctx.config.dataDir, 'gate');
  expect(about(await findings({ gate: { kind: 'file', folder } }), 'gate')).toMatchObject([
    { level: 'ok' },
  ]);
  expect(await readdir(folder)).toEqual([]);
  await api.sql`
    INSERT INTO gate_controllers (facility_id, next_at, synced_at, failures)
    SELECT id, ${fromNow(0)}::timestamptz, ${fromNow(-3 * 3_600_000)}::timestamptz, 4 FROM facilities WHERE location_code = 'TXDFW03'`;
  expect(about(await findings({ gate: { kind: 'file', folder } }), 'gate')[1]).toMatchObject({
    level: 'warning',
    says: '1 facilities’ gates are behind, the first TXDFW03: for 3.0 hours, 4 tries failed in a row.',
  });
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file where a folder should be');
  expect(about(await findings({ gate: { kind: 'file', folder } }), 'gate')).toMatchObject([
    { level: 'fault' },
  ]);
  await rm(folder);
});

test('photos that cannot be stored are a fault, and no test file is left', async () => {
  const dataDir = join(api.ctx.config.dataDir, 'doctor');
  expect(about(await findings({ dataDir: api.ctx.config.dataDir }), 'photos')).toMatchObject([
    { level: 'ok' },
  ]);
  await writeFile(dataDir, 'a file where a folder should be');
  expect(about(await findings({ dataDir }), 'photos')).toMatchObject([{ level: 'fault' }]);
  await rm(dataDir);
});
