import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openOwnerDatabase, type Database } from '#db/database.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { endServer, startServer, type ServerProcess } from './server-process.ts';
import { createDatabase, databaseUrl } from './templates.ts';
import { patience } from './patience.ts';

const locations = '/api/corporations/ANCHOR/locations';
const name = `stop_${randomUUID().replaceAll('-', '')}`;
// What is asked while the server drains must be asked within it, on a busy machine too.
const DRAIN_MS = 3000;
const agent = new Agent({ keepAlive: true });
let dataDir: string;
let owner: Database;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-stop-'));
  const maintenance = openOwnerDatabase(inject('clusterUrl'));
  await createDatabase(maintenance, name, 'demo_template');
  await maintenance.destroy();
  const DATABASE_URL = databaseUrl(inject('clusterUrl'), name);
  owner = openOwnerDatabase(DATABASE_URL);
  server = await startServer({
    DATA_DIR: dataDir,
    DATABASE_URL,
    DATA_KEYS: TEST_DATA_KEYS,
    DRAIN_SECONDS: String(DRAIN_MS / 1000),
  });
});
afterAll(async () => {
  agent.destroy();
  await endServer(server, 'SIGKILL');
  await owner.destroy();
  await rm(dataDir, { recursive: true, force: true });
});

type Answer = { status: number | undefined; connection: string | undefined };

/** A call over a kept-alive connection, where there is one. */
async function call(path: string): Promise<Answer> {
  const sent = request(server.url + path, { agent }).end();
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, connection: response.headers.connection };
}

const isListening = () =>
  fetch(`${server.url}/healthz`).then(
    () => true,
    () => false,
  );

test('SIGTERM: not ready at once, serving while it drains, then no new calls, and those in progress finish', async () => {
  expect(await call('/readyz')).toEqual({ status: 200, connection: 'keep-alive' });
  const gone = once(server.process, 'exit') as Promise<[number | null]>;
  const begun = performance.now();
  server.process.kill('SIGTERM');
  await vi.waitFor(async () => expect((await call('/readyz')).status).toBe(503), {
    ...patience,
    interval: 5,
  });
  expect(await call(locations)).toEqual({ status: 200, connection: 'close' });
  // Is in progress until the rest of its body comes.
  const body = JSON.stringify({
    username: 'unknown@example.com',
    password: 'harbor gate 81',
    locationCode: 'TXDFW03',
    corporationCode: 'ANCHOR',
  });
  const underWay = request(`${server.url}/api/users/login`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  const answered = once(underWay, 'response') as Promise<[import('node:http').IncomingMessage]>;
  underWay.write(body.slice(0, 10));
  await vi.waitFor(async () => expect(await isListening()).toBe(false), {
    ...patience,
    interval: 5,
  });
  expect(performance.now() - begun).toBeGreaterThan(DRAIN_MS - 10);
  expect(server.process.exitCode).toBeNull();
  underWay.end(body.slice(10));
  const [{ statusCode, headers }] = await answered;
  expect([statusCode, headers.connection]).toEqual([401, 'close']);
  expect((await gone)[0]).toBe(0);
  const { rows } = await sql`SELECT FROM pgboss.job WHERE state = 'active'`.execute(owner);
  expect(rows).toHaveLength(0);
});

// asvs 16.5.4
test('an error outside of requests is logged, and the server finishes calls in progress and exits with 1', async () => {
  const DATABASE_URL = databaseUrl(inject('clusterUrl'), name);
  const fault = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("uncaught")})')}`;
  const faulty = await startServer({
    DATA_DIR: dataDir,
    DATABASE_URL,
    DATA_KEYS: TEST_DATA_KEYS,
    LOG_LEVEL: 'fatal',
    NODE_OPTIONS: `--import=${fault}`,
  });
  let said = '';
  faulty.process.stdout!.on('data', (part: Buffer) => (said += part.toString()));
  const gone = once(faulty.process, 'exit') as Promise<[number | null]>;
  const answer = await owner.transaction().execute(async (trx) => {
    await sql`LOCK TABLE facilities`.execute(trx);
    const asked = fetch(faulty.url + locations).then(({ status }) => status);
    await vi.waitFor(async () => {
      const { rows } =
        await sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'facilities'::regclass`.execute(
          trx,
        );
      expect(rows.length).toBeGreaterThan(0);
    }, patience);
    faulty.process.kill('SIGUSR2');
    await vi.waitFor(() => expect(said).toContain('an uncaught error stops the server'), patience);
    return { asked };
  });
  expect(await answer.asked).toBe(200);
  expect((await gone)[0]).toBe(1);
});
