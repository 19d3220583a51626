import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromKysely, PgBoss } from 'pg-boss';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, refuseToStart, startServer, type ServerProcess } from './server-process.ts';
import { openSmtpSink } from './smtp.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const name = `machines_${randomUUID().replaceAll('-', '')}`;
const url = () => databaseUrl(inject('clusterUrl'), name);
const waiting = { ...patience, interval: 20 };
const started: ServerProcess[] = [];
let dataDir: string;
let owner: Database;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-machines-'));
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(url());
});
afterAll(async () => {
  await Promise.all(living().map((server) => endServer(server, 'SIGTERM')));
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

const living = () =>
  started.filter(
    ({ process: { signalCode, exitCode } }) => signalCode === null && exitCode === null,
  );

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({
    DATA_DIR: dataDir,
    DATABASE_URL: url(),
    DATA_KEYS: TEST_DATA_KEYS,
    MAIL_FROM: 'Anchor & Axle <no-reply@anchor-axle.example>',
    ...env,
  });
  started.push(server);
  return server;
}

/** A mail server that accepts connections and does not answer for longer than this test. */
async function openSilentServer() {
  const server = createServer();
  const calls = { count: 0 };
  server.on('connection', (socket) => {
    calls.count += 1;
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    calls,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

const jobsOf = async (queue: string) => {
  const { rows } = await sql<{
    state: string;
  }>`SELECT state FROM pgboss.job WHERE name = ${queue}`.execute(owner);
  return rows.map(({ state }) => state);
};

/** Jobs that send the newcomer's mail: schedules that fire meanwhile may queue others. */
const newcomersMail = async () => {
  const { rows } = await sql<{ state: string }>`
    SELECT j.state FROM pgboss.job j JOIN mails m ON m.id = (j.data->>'mailId')::uuid
    WHERE j.name = 'deliver-mail' AND m.to_address = 'newcomer@example.com'`.execute(owner);
  return rows.map(({ state }) => state);
};

test('an app serves and runs no jobs, workers run jobs and serve nothing, and a worker killed during a job loses nothing', async () => {
  const [untouched, silent, sink] = [
    await openSilentServer(),
    await openSilentServer(),
    await openSmtpSink(),
  ];
  const [app, first, second] = await Promise.all([
    start({ PROCESS: 'app', SMTP_URL: untouched.url }),
    start({ PROCESS: 'worker', SMTP_URL: silent.url }),
    start({ PROCESS: 'worker', SMTP_URL: silent.url }),
  ]);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  const refused = await fetch(`${first.url}/api/corporations/ANCHOR/locations`);
  expect([refused.status, await refused.json()]).toEqual([404, { message: 'Not found.' }]);

  const asked = await fetch(`${app.url}/api/users/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'newcomer@example.com',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    }),
  });
  expect(asked.status).toBe(200);
  await vi.waitFor(
    async () => expect([await newcomersMail(), silent.calls.count > 0]).toEqual([['active'], true]),
    waiting,
  );
  await Promise.all([endServer(first, 'SIGKILL'), endServer(second, 'SIGKILL')]);
  expect(await newcomersMail()).toEqual(['active']);

  // Shortens the killed worker's lease of the job, and the interval at which workers look for
  // expired ones.
  await sql`UPDATE pgboss.job SET started_on = started_on - interval '1 hour' WHERE state = 'active'`.execute(
    owner,
  );
  const upkeep = new PgBoss({
    db: fromKysely(owner),
    schema: 'pgboss',
    migrate: false,
    schedule: false,
  });
  await upkeep.start();
  await upkeep.supervise('deliver-mail');
  await upkeep.stop({ graceful: false });
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(owner);
  // Until the next worker has started, only the app could run it.
  await start({ PROCESS: 'worker', SMTP_URL: sink.url });
  await vi.waitFor(async () => expect(await newcomersMail()).toEqual(['completed']), waiting);
  const sent = sink.received.flatMap(({ to }) => to).filter((to) => to === 'newcomer@example.com');
  expect(sent).toEqual(['newcomer@example.com']);
  expect(untouched.calls.count).toBe(0);
  untouched.close();
  silent.close();
  await sink.close();
});

test('schedules fire once for any number of workers', async () => {
  await vi.waitFor(
    async () => expect(await jobsOf('__pgboss__send-it')).toContain('completed'),
    waiting,
  );
  const { rows } = await sql<{ times: number }>`
    SELECT count(*)::int AS times FROM pgboss.job WHERE name = '__pgboss__send-it'
    GROUP BY data->>'name', date_trunc('minute', created_on)`.execute(owner);
  expect(new Set(rows.map(({ times }) => times))).toEqual(new Set([1]));
});

test('separate app and worker processes need a shared database', async () => {
  const { code, said } = await refuseToStart({
    DATA_DIR: dataDir,
    PROCESS: 'worker',
  });
  expect([code, said]).toEqual([
    1,
    'Gatehouse cannot start: The environment cannot be used. PROCESS=worker needs DATABASE_URL.\n',
  ]);
});
