import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Language, locales, setLanguageSource } from '@gatehouse/language/language';
import { test as base, type BrowserContext, expect, type Page } from '@playwright/test';
import pg from 'pg';
import { hashToken, newToken } from '../../server/src/http/token.ts';
import { childEnvironment } from '../../server/test/child-environment.ts';
import { TEST_DATA_KEYS } from '../../server/test/data-keys.ts';
import { testClock, testClockShift } from '../../server/test/test-day.ts';
import { WIDE_LIMITS } from '../../server/test/wide-limits.ts';
import { collectFaults, type Faults, settleFaults } from './faults.ts';
import { setClock } from './page-clock.ts';
import { translatePages } from './translate.ts';

/** The real server on a copy of the demo world. */
export type Portal = {
  url: string;
  /** Changes the world under the tenant's feet; runs as the owner of the tables. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Of the owner of the tables. */
  databaseUrl: string;
  /** The folder of the program that runs, with what is built for the browser. */
  root: string;
  /** Starts the server again at the same address. */
  restart(): Promise<void>;
};

export const PASSWORD = 'anchor-axle-26';

/** A running server and the database under it. */
type Server = Portal & { stop(): Promise<void> };

/**
 * Each test has the demo world to itself. The server is its worker's, unless the test sets the
 * environment; the world under it is recreated. `page` starts at its address. What the page policy
 * refuses on any page of the test, what a page throws and what it logs as an error fail the test,
 * unless the test takes it out of `faults` or names it in `mayLog`.
 */
export const test = base.extend<
  {
    portal: Portal;
    environment: Record<string, string>;
    hasOwnBuild: boolean;
    otherContext: BrowserContext;
    language: Language;
    speaking: undefined;
    mayLog: RegExp[];
    isTranslated: boolean;
    faults: Faults;
  },
  { shared: { renew(): Promise<Portal> } }
>({
  /** Settings of the server besides the usual ones: the test has a server of its own then. */
  environment: [{}, { option: true }],
  /** Runs a copy of the program and of its build, whose files the test may take away. */
  hasOwnBuild: [false, { option: true }],
  shared: [
    // Playwright reads the first parameter's form.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const name = newName();
      let server: Server | undefined;
      await use({
        async renew() {
          if (server === undefined) server = await startServer(name, {});
          else await renewWorld(name, server.url);
          return server;
        },
      });
      await server?.stop();
    },
    { scope: 'worker' },
  ],
  portal: async ({ environment, hasOwnBuild, shared }, use) => {
    if (Object.keys(environment).length === 0 && !hasOwnBuild) return use(await shared.renew());
    const root = hasOwnBuild ? await copyProgram() : checkout;
    const server = await startServer(newName(), environment, root);
    try {
      await use(server);
    } finally {
      await server.stop();
      if (hasOwnBuild) await rm(root, { recursive: true });
    }
  },
  baseURL: async ({ portal }, use) => use(portal.url),
  /** What the browser asks for, and what the test looks for by `t`. */
  language: ['en', { option: true }],
  locale: async ({ language }, use) => use(locales[language]),
  context: async ({ context }, use) => {
    await setClock(context);
    await use(context);
  },
  /** Another person's browser, which has nothing of the test's own. */
  otherContext: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL: baseURL! });
    await setClock(context);
    await use(context);
    await context.close();
  },
  speaking: [
    async ({ language }, use) => {
      setLanguageSource(() => language);
      await use(undefined);
      setLanguageSource(() => 'en');
    },
    { auto: true },
  ],
  /** Errors that the test is about, as the page throws or logs them. */
  mayLog: [[], { option: true }],
  /** Whether the browser translates every page (support/translate.ts). */
  isTranslated: [false, { option: true }],
  faults: [
    async ({ context, mayLog, isTranslated }, use) => {
      const faults = await collectFaults(context);
      if (isTranslated) await translatePages(context);
      await use(faults);
      await settleFaults(context);
      expect(faults.refused).toEqual([]);
      expect(faults.thrown.filter((text) => !mayLog.some((one) => one.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

function clusterUrl(): string {
  return process.env.E2E_CLUSTER_URL ?? '';
}

function newName(): string {
  return `e2e_${randomUUID().replaceAll('-', '')}`;
}

const checkout = join(import.meta.dirname, '../..');

/** The server with what is built, and all else by links. */
async function copyProgram(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'gatehouse-program-'));
  for (const part of ['server', 'web/dist', 'office/dist'])
    await cp(join(checkout, part), join(root, part), { recursive: true });
  for (const part of ['package.json', 'node_modules'])
    await symlink(join(checkout, part), join(root, part));
  return root;
}

async function startServer(
  name: string,
  environment: Record<string, string>,
  root = checkout,
): Promise<Server> {
  await query(clusterUrl(), `CREATE DATABASE ${name} TEMPLATE demo_template STRATEGY FILE_COPY`);
  const databaseUrl = new URL(clusterUrl());
  databaseUrl.pathname = `/${name}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-portal-'));
  const start = (port: string) =>
    spawn(process.execPath, [join(root, 'server/src/main.ts')], {
      env: {
        ...process.env,
        PORT: port,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl.href,
        DATA_KEYS: TEST_DATA_KEYS,
        LIMITS: WIDE_LIMITS,
        CLOCK_SHIFT_MS: String(testClockShift()),
        SHED_LOAD: 'off',
        NODE_OPTIONS: '',
        NODE_COMPILE_CACHE: childEnvironment.NODE_COMPILE_CACHE,
        // Between tests its database goes away, which it would report.
        LOG_LEVEL: 'fatal',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let server = start('0');
  async function end() {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
  async function stop() {
    await end();
    await query(clusterUrl(), `DROP DATABASE ${name}`);
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const url = await addressOf(server);
    return {
      url,
      sql: (text, values) => query(databaseUrl.href, text, values),
      databaseUrl: databaseUrl.href,
      root,
      async restart() {
        await end();
        server = start(new URL(url).port);
        await addressOf(server);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The time between two looks, in milliseconds. */
const often = { intervals: [10] };

/**
 * Resets the demo world of a running server: its connections are cut, and it makes new ones to the
 * new database.
 */
async function renewWorld(name: string, url: string): Promise<void> {
  await onConnection(clusterUrl(), async (cluster) => {
    await cluster.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    const end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'";
    // A drop that meets a connection waits for a tenth of a second.
    await expect.poll(async () => (await cluster.query(end, [name])).rowCount, often).toBe(0);
    await cluster.query(`DROP DATABASE ${name}`);
    await cluster.query(`CREATE DATABASE ${name} TEMPLATE demo_template STRATEGY FILE_COPY`);
  });
  // Until it has heard of every connection that was cut.
  await expect.poll(() => fetch(`${url}/readyz`).then(({ ok }) => ok), often).toBe(true);
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null || server.stderr === null) throw new Error('the server has no output');
  let errors = '';
  server.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface(server.stdout)) {
    const address = /^Gatehouse is ready: (\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`the server ended before it was ready (${server.exitCode}): ${errors}`);
}

async function query(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return onConnection(url, async (client) => {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  });
}

async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Writes a session to the database and puts it where the portal keeps it in the browser; only the
 * sign-in spec types a password.
 */
export async function signIn(
  page: Page,
  portal: Portal,
  email: string,
  locationCode = 'TXDFW03',
): Promise<void> {
  const token = newToken();
  const tenants = await portal.sql(
    `WITH place AS (
       SELECT u.id AS user_id, f.id AS facility_id FROM users u JOIN facilities f ON f.corporation_id = u.corporation_id
       WHERE u.email = $1 AND f.location_code = $2),
     session AS (
       INSERT INTO sessions (token_hash, user_id, facility_id, created_at, last_seen_at)
       SELECT $3, user_id, facility_id, $4, $4 FROM place)
     SELECT t.id FROM place p JOIN tenants t ON t.facility_id = p.facility_id
     JOIN user_tenants ut ON ut.tenant_id = t.id AND ut.user_id = p.user_id ORDER BY ut.position, t.id`,
    [email, locationCode, hashToken(token), testClock.now()],
  );
  const session = { token, tenants, currentTenantId: tenants[0]?.id, locationCode };
  await page.goto(`${portal.url}/healthz`);
  await page.evaluate((value) => localStorage.setItem('gatehouse', value), JSON.stringify(session));
}
