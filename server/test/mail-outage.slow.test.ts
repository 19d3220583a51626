import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, startServer, type ServerProcess } from './server-process.ts';
import { openSmtpSink } from './smtp.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const name = `outage_${randomUUID().replaceAll('-', '')}`;
let dataDir: string;
let owner: Database;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-outage-'));
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  owner = openOwnerDatabase(databaseUrl(inject('clusterUrl'), name));
});
afterAll(async () => {
  await endServer(server, 'SIGTERM');
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (smtpUrl: string) =>
  startServer({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(inject('clusterUrl'), name),
    DATA_KEYS: TEST_DATA_KEYS,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Anchor & Axle <no-reply@anchor-axle.example>',
  });

const states = async () => {
  const { rows } = await sql<{
    state: string;
  }>`SELECT state FROM pgboss.job WHERE name = 'deliver-mail'`.execute(owner);
  return rows.map(({ state }) => state);
};

// asvs 16.5.2
test('with the mail server down and the server killed no request fails, and every mail is sent once', async () => {
  const gone = await openSmtpSink();
  await gone.close();
  server = await start(gone.url);
  const emails = ['newcomer@example.com', 'lee@example.com', 'nobody@example.com'];
  for (const email of emails) {
    const answer = await fetch(`${server.url}/api/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' }),
    });
    expect(answer.status).toBe(200);
  }
  // Releases the jobs that the killed process still holds.
  const waiting = { ...patience, interval: 50 };
  await vi.waitFor(
    async () => expect(await states()).toEqual(['retry', 'retry', 'retry']),
    waiting,
  );
  await endServer(server, 'SIGKILL');

  const sink = await openSmtpSink(gone.port);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(owner);
  server = await start(sink.url);
  await vi.waitFor(
    async () => expect(await states()).toEqual(['completed', 'completed', 'completed']),
    waiting,
  );
  expect(sink.received.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  expect(new Set(sink.received.map(({ from }) => from))).toEqual(
    new Set(['no-reply@anchor-axle.example']),
  );
  await sink.close();
});
