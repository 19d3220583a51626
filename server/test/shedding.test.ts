import { connect, type AddressInfo, type Socket } from 'node:net';
import { login } from '@gatehouse/contract/sign-in';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '#app/app.ts';
import { TIME_LIMITS, type Database } from '#db/database.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { calm, type Pressure } from '#telemetry/pressure.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from './app.ts';
import { card } from './card.ts';
import { patience } from './patience.ts';

let pressure: Pressure = calm;
let api: TestApp;
let dana: SignedIn;
let ledger: { id: string; unitId: string };
beforeAll(async () => {
  const { lockMs } = TIME_LIMITS;
  api = await openTestApp('demo_template', { pressure: () => pressure }, { lockMs });
  dana = await signIn(api, 'dana@example.com');
  ledger = (await get('/ledgers')).body[0];
});
afterAll(() => api.close());
beforeEach(() => (pressure = calm));

const get = (part: string) =>
  api.call('GET', `${dana.prefix}/tenants/${dana.tenantIds[0]}${part}`, dana);
const post = (part: string, body: object) =>
  api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}${part}`, {
    token: dana.token,
    body,
  });
const pay = () =>
  post('/payments', {
    payments: [{ ledgerId: ledger.id, unitId: ledger.unitId, amount: 1 }],
    creditCard: card,
  });
const signInAgain = () => {
  const body = { username: 'lee@example.com', password: DEMO_PASSWORD, locationCode: 'TXDFW03' };
  return api.call('POST', '/users/login', { body: { ...body, corporationCode: 'ANCHOR' } });
};

test('a read that is refused has the headers and the shape of every other answer', async () => {
  const taken = await get('/ledgers');
  pressure = { ...calm, delayMs: 500 };
  const refused = await get('/ledgers');
  expect(refused.body).toEqual({ message: 'The service is busy for a moment. Please try again.' });
  const own = ['content-length', 'content-type', 'date', 'connection', 'retry-after'];
  const others = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
  expect(others(refused.headers)).toEqual(others(taken.headers));
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a read that is refused can be read by a page of an allowed origin, and ends its connection while the process stops', async () => {
  const origin = 'https://app.example.com';
  const config = { ...api.ctx.config, corsOrigins: [origin] };
  const app = await buildApp({
    ...api.ctx,
    config,
    metrics: createMetrics(),
    stopping: AbortSignal.abort(),
  });
  pressure = { ...calm, delayMs: 500 };
  const { statusCode, headers } = await app.inject({
    url: `/api${dana.prefix}/gate-access`,
    headers: { origin },
  });
  await app.close();
  expect([statusCode, headers.connection, headers['access-control-allow-origin']]).toEqual([
    503,
    'close',
    origin,
  ]);
});

describe('in front of the app, once it listens', () => {
  const origin = 'https://app.example.com';
  let port: number;
  let registry: Registry;
  let stop: AbortController;
  let close: () => Promise<void>;
  beforeAll(async () => {
    stop = new AbortController();
    const config = { ...api.ctx.config, corsOrigins: [origin] };
    const metrics = createMetrics();
    const app = await buildApp({ ...api.ctx, config, metrics, stopping: stop.signal });
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as AddressInfo);
    ({ registry } = metrics);
    close = () => app.close();
  });
  afterAll(() => close());
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { method, headers });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    };
  };
  const counted = async () => {
    const { values } = await registry.getSingleMetric('gatehouse_request_seconds')!.get();
    const ofThis = ({ labels }: { labels: object }) =>
      'route' in labels &&
      String(labels.route).startsWith('/api/corporations/') &&
      String(labels.route).endsWith('/*');
    return values.filter((value) => ofThis(value)).filter(({ labels }) => !('le' in labels));
  };

  test('a read is refused with the same sentence and headers, and counted', async () => {
    const path = `${dana.prefix}/gate-access`;
    const taken = await ask(path, { origin });
    pressure = { ...calm, delayMs: 500 };
    // The app answers the first of each origin itself.
    expect([(await ask(path, { origin })).status, (await ask(path)).status]).toEqual([503, 503]);
    const refused = await ask(path, { origin });
    expect(refused.status).toBe(503);
    expect(refused.text).toBe('{"message":"The service is busy for a moment. Please try again."}');
    const { 'www-authenticate': _, ...headers } = taken.headers;
    const own = { 'content-length': '65', 'retry-after': '5', date: expect.any(String) as string };
    expect(refused.headers).toEqual({ ...headers, ...own });
    expect(refused.headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: 'origin',
    });
    expect((await ask(path)).headers).not.toHaveProperty('access-control-allow-origin');
    expect(await counted()).toContainEqual(
      expect.objectContaining({ metricName: 'gatehouse_request_seconds_count', value: 2 }),
    );
  });

  test('a read of a Spanish page is refused in Spanish', async () => {
    const path = `${dana.prefix}/gate-access`;
    const spanish = { 'gatehouse-language': 'es' };
    pressure = { ...calm, delayMs: 500 };
    // The app answers the first of each language itself.
    for (let nth = 0; nth < 2; nth += 1) {
      expect((await ask(path, spanish)).text).toBe(
        '{"message":"El servicio está ocupado por un momento. Inténtelo de nuevo."}',
      );
      expect((await ask(path)).text).toBe(
        '{"message":"The service is busy for a moment. Please try again."}',
      );
    }
  });

  test('more urgent calls are left to the app, and so are calls other than plain reads', async () => {
    pressure = { ...calm, delayMs: 500 };
    expect((await ask('/corporations/ANCHOR/locations')).status).toBe(200);
    expect((await ask(`${dana.prefix}/gate-access`, {}, 'PUT')).status).toBe(405);
    expect((await ask(`${dana.prefix}x`)).status).toBe(503);
    expect((await ask('/corporationsx/ANCHOR/locations/TXDFW03')).status).toBe(404);
  });

  test('a connection ends with its refusal while the process stops', async () => {
    pressure = { ...calm, delayMs: 500 };
    stop.abort();
    expect((await ask(`${dana.prefix}/gate-access`)).headers).toMatchObject({
      connection: 'close',
    });
  });
});

test('under pressure uploads are refused first, then reads, then sign-ins, and payments last', async () => {
  const statuses = [];
  for (const delayMs of [0, 250, 500, 1000, 2000]) {
    pressure = { ...calm, delayMs };
    const answers = [
      await post('/images', { imageData: 'x' }),
      await get('/ledgers'),
      await signInAgain(),
      await pay(),
    ];
    statuses.push(answers.map(({ status }) => status));
    for (const { status, headers, body } of answers)
      if (status === 503 || status === 429) {
        expect(headers['retry-after']).toBe('5');
        expect(body.message).toMatch(/Please try again( in a moment)?\.$/);
      }
  }
  expect(statuses).toEqual([
    [422, 200, 200, 200],
    [503, 200, 200, 200],
    [503, 503, 200, 200],
    [503, 503, 429, 200],
    [503, 503, 429, 503],
  ]);
});

test('a call is shed before it is authenticated', async () => {
  pressure = { ...calm, delayMs: 500 };
  expect((await api.call('GET', `${dana.prefix}/gate-access`)).status).toBe(503);
});

test('a call is released however it ends', async () => {
  const ends = [
    () => get('/ledgers'),
    () => get('/charges'),
    () => api.call('GET', `${dana.prefix}/gate-access`),
    () => api.call('GET', '/corporations/OTHER/locations/TXDFW03', dana),
    () =>
      api.call('PATCH', `${dana.prefix}/tenants/${dana.tenantIds[0]}`, {
        token: dana.token,
        body: 'x',
      }),
  ];
  for (const end of ends) for (let time = 0; time < 10; time += 1) await end();
  expect((await get('/ledgers')).status).toBe(200);
});

/** How many connections are kept waiting by a lock. */
async function waitingForLocks(db: Database): Promise<number> {
  const { rows } =
    await sql`SELECT DISTINCT pid FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE datname = current_database() AND NOT granted`.execute(db);
  return rows.length;
}

test('reads that wait for the database leave connections to payments', async () => {
  const lee = await signIn(api, 'lee@example.com');
  const getOfLee = () =>
    api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/statements`, lee);
  const reads = await api.owner.transaction().execute(async (trx) => {
    await sql`LOCK TABLE statements`.execute(trx);
    // By turns of two tenants, because one has four connections at most.
    const waiting = Array.from({ length: 300 }, (_, nth) =>
      nth % 2 === 0 ? get('/statements') : getOfLee(),
    );
    await vi.waitFor(async () => expect(await waitingForLocks(trx)).toBe(6), {
      ...patience,
      interval: 10,
    });
    expect((await pay()).status).toBe(200);
    expect((await signInAgain()).status).toBe(200);
    return { statuses: Promise.all(waiting.map(async (read) => (await read).status)) };
  });
  // Those that neither ran nor waited were refused at once; others when they waited too long.
  const statuses = await reads.statuses;
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(300 - 206);
  await vi.waitFor(async () => expect((await get('/statements')).status).toBe(200), {
    ...patience,
    interval: 10,
  });
});

describe('a body that does not arrive', () => {
  const sockets: Socket[] = [];
  afterAll(() => sockets.forEach((socket) => socket.destroy()));

  test('does not count as a call in progress: others sign in meanwhile', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.app.server.address() as AddressInfo;
    for (let index = 0; index < 150; index += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /api${login.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`,
      );
      socket.write('content-length: 100\r\n\r\n{');
      sockets.push(socket.on('error', () => {}));
    }
    const open = () =>
      new Promise<number>((resolve) => api.app.server.getConnections((_, count) => resolve(count)));
    await vi.waitFor(async () => expect(await open()).toBe(150), { ...patience, interval: 20 });
    expect((await signInAgain()).status).toBe(200);
  });
});
