import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { patience } from './patience.ts';
import { endServer, refuseToStart, startServer, type ServerProcess } from './server-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function listening(
  onConnection: (server: Server) => void = () => {},
): Promise<{ server: Server; port: number }> {
  const server = createServer();
  onConnection(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'));
}

describe('a server with its embedded database', () => {
  let dataDir: string;
  let server: ServerProcess;
  beforeAll(async () => {
    dataDir = join(folder, 'data folder');
    server = await startServer({ DATA_DIR: dataDir });
  });
  afterAll(() => endServer(server, 'SIGTERM'));

  test('is ready, serves its page, and counts requests', async () => {
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toMatch(
      /gatehouse_request_seconds_count\{method="GET",route="\/readyz",status="200"\} 1/,
    );
    expect(metrics).toContain('gatehouse_jobs_failed_total');
  });

  test('has exclusive use of its data folder', async () => {
    const { code, said } = await refuseToStart({ DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said).toMatch(
      /^Gatehouse cannot start: The data folder .* is in use by another Gatehouse server[^\n]*\n$/,
    );
  });

  test('has exclusive use of its port', async () => {
    const { code, said } = await refuseToStart({
      DATA_DIR: join(folder, 'other'),
      PORT: new URL(server.url).port,
    });
    expect(code).toBe(1);
    expect(said).toMatch(/^Gatehouse cannot start: Port \d+ is already in use[^\n]*\n$/);
  });

  test.each(['SIGQUIT', 'SIGINT', 'SIGKILL'] as const)(
    'outlives its database’s end by %s under load, answers 503 meanwhile, and continues',
    async (signal) => {
      const body = JSON.stringify({
        username: 'lee@example.com',
        password: DEMO_PASSWORD,
        locationCode: 'TXDFW03',
        corporationCode: 'ANCHOR',
      });
      const headers = { 'content-type': 'application/json' };
      const login = await fetch(`${server.url}/api/users/login`, { method: 'POST', headers, body });
      const { token } = (await login.json()) as { token: string };
      const statuses = new Set<number>();
      let isLoaded = true;
      const load = Array.from({ length: 8 }, async () => {
        while (isLoaded) {
          const answer = await fetch(`${server.url}/api/corporations/ANCHOR/locations/TXDFW03`, {
            headers: { authorization: `Bearer ${token}` },
          });
          await answer.arrayBuffer();
          statuses.add(answer.status);
        }
      });
      const before = await postmasterOf(dataDir);
      process.kill(before, signal);
      await vi.waitFor(async () => expect(await postmasterOf(dataDir)).not.toBe(before), {
        ...patience,
        interval: 20,
      });
      await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), {
        ...patience,
        interval: 100,
      });
      isLoaded = false;
      await Promise.all(load);
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(server.process.exitCode).toBeNull();
    },
  );

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'ends on %s with its database and starts again',
    async (signal) => {
      const postmaster = await postmasterOf(dataDir);
      expect(await endServer(server, signal)).toBe(0);
      // It has ended, or its parent is about to reap it.
      await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false), {
        ...patience,
        interval: 20,
      });
      server = await startServer({ DATA_DIR: dataDir });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    },
  );
});

describe('a database that cannot be used is one sentence', () => {
  const refused = (DATABASE_URL: string) =>
    refuseToStart({ DATA_DIR: join(folder, 'unused'), DATABASE_URL });
  const sentence = /^Gatehouse cannot start: [^\n]*DATABASE_URL[^\n]*\.\n$/;

  test('no server listens there', async () => {
    const { server, port } = await listening();
    server.close();
    expect(await refused(`postgresql://127.0.0.1:${port}/x`)).toEqual({
      code: 1,
      said: expect.stringMatching(sentence),
    });
  });

  test('what listens there hangs up', async () => {
    const { server, port } = await listening((on) =>
      on.on('connection', (socket) => socket.destroy()),
    );
    expect(await refused(`postgresql://127.0.0.1:${port}/x`)).toEqual({
      code: 1,
      said: expect.stringMatching(sentence),
    });
    server.close();
  });

  test('what listens there is no PostgreSQL', async () => {
    const { server, port } = await listening((on) =>
      on.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    expect(await refused(`postgresql://127.0.0.1:${port}/x`)).toEqual({
      code: 1,
      said: expect.stringMatching(sentence),
    });
    server.close();
  });

  test.each(['mysql://127.0.0.1/x', 'the database'])('%s is not a valid address', async (url) => {
    expect(await refused(url)).toEqual({ code: 1, said: expect.stringMatching(sentence) });
  });
});
