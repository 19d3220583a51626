import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, inject } from 'vitest';
import { createLocalEsign } from '#adapters/esign/local-esign.ts';
import { createDiskFiles } from '#adapters/files/disk.ts';
import { mailbox } from '#adapters/mail/mailbox.ts';
import { createSandboxGateway } from '#adapters/payments/sandbox-gateway.ts';
import { sandboxTexts } from '#adapters/text-messages/sandbox-texts.ts';
import { buildApp } from '#app/app.ts';
import { createLeaseImporter } from '#app/lease-importer.ts';
import { readConfig } from '#config/config.ts';
import type { Context } from '#context/context.ts';
import { openDatabase, openOwnerDatabase, type Database, type TimeLimits } from '#db/database.ts';
import { autopayListener } from '#features/money/autopay/payment-listener.ts';
import { armFailpoint } from '#config/failpoints.ts';
import { buildOperatorApp } from '#http/operator.ts';
import { hashToken, newToken } from '#http/token.ts';
import { openQueue, type Queue } from '#jobs/queue.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { calm } from '#telemetry/pressure.ts';
import { openLog } from '#telemetry/log.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openVault } from '#crypto/vault.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { createDatabase, databaseUrl, type Template } from './templates.ts';
import { testClock } from './test-day.ts';
import { WIDE_LIMITS } from './wide-limits.ts';
import { addRows } from './rows.ts';

/** The real app on a database of its own. */
export type TestApp = {
  app: FastifyInstance;
  /** The app on the operator's port. */
  operatorApp: FastifyInstance;
  ctx: Context;
  owner: Database;
  queue: Queue;
  /** Calls the API; `path` is below its base. Returns the status and the parsed body. */
  call(method: 'GET' | 'POST' | 'PATCH', path: string, options?: CallOptions): Promise<Answer>;
  /** Runs a statement as the owner, and returns its rows. */
  sql<Row>(texts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
};

/** A tenant who is signed in is the options of a call without a body. */
type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };
// A test reads many shapes of answers; the contract test is what checks them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = { status: number; body: any; headers: Record<string, unknown>; text: string };

/** So that no test ends otherwise on a busy machine: as long as a test may take. */
const UNHURRIED: TimeLimits = {
  connectMs: 120_000,
  statementMs: 120_000,
  lockMs: 120_000,
  idleMs: 120_000,
  answerMs: 120_000,
};

/**
 * Databases of closed apps, for the next one to drop: a drop that meets a connection at its end
 * waits for a tenth of a second. What is left in the end goes with the cluster.
 */
const unused: string[] = [];

/**
 * The app of `openTestApp` for the tests of a file or a `describe`; its parts are there from their
 * first hook on.
 */
export function useTestApp(...options: Parameters<typeof openTestApp>): TestApp {
  const api = {} as TestApp;
  beforeAll(async () => {
    Object.assign(api, await openTestApp(...options));
  });
  afterAll(() => api.close());
  return api;
}

/**
 * Copies a template database and builds the app on it; `overrides` replaces parts of the context.
 * A test about a time limit of the database gives its `limits`.
 */
export async function openTestApp(
  template: Template,
  overrides: Partial<Context> = {},
  limits: Partial<TimeLimits> = {},
): Promise<TestApp> {
  const clusterUrl = inject('clusterUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openOwnerDatabase(clusterUrl, UNHURRIED.connectMs);
  // Not WITH (FORCE), which may not end an autovacuum worker; without it the worker is asked to
  // stop.
  for (const old of unused.splice(0)) await sql`DROP DATABASE ${sql.id(old)}`.execute(maintenance);
  await createDatabase(maintenance, name, template);
  const url = databaseUrl(clusterUrl, name);
  const owner = openOwnerDatabase(url, UNHURRIED.connectMs);
  const onError = () => {};
  const db = openDatabase(url, onError, { limits: { ...UNHURRIED, ...limits } });
  const queue = await openQueue(db, onError);
  const config = readConfig({
    DATA_DIR: dataDirOf(clusterUrl),
    DATA_KEYS: TEST_DATA_KEYS,
    LIMITS: WIDE_LIMITS,
    // A call must not be refused because the machine is slow.
    SHED_LOAD: 'off',
  });
  // A copy, because a test may replace its `now`.
  const clock = overrides.clock ?? { ...testClock };
  const unsaid: string[] = [];
  const secret = Buffer.alloc(32, 7);
  const ctx: Context = {
    config: { ...config, secret },
    db,
    clock,
    vault: openVault(config.dataKeys),
    gateway: createSandboxGateway(db, clock, secret),
    // Ends no call but one to which the sandbox gateway never answers.
    gatewayTimeoutMs: 1,
    paymentListeners: [autopayListener],
    mail: mailbox,
    texts: sandboxTexts,
    files: createDiskFiles(join(config.dataDir, name)),
    esign: createLocalEsign(db, clock),
    gate: null,
    importLeases: createLeaseImporter(url, config),
    enqueue: queue.enqueue,
    failpoint: armFailpoint(config.failpoint),
    stopping: new AbortController().signal,
    // The load of the test process must not affect results.
    pressure: () => calm,
    metrics: createMetrics(),
    log: openLog('warn', { write: (line) => line.includes('"leftOut"') && unsaid.push(line) }),
    ...overrides,
  };
  const app = await buildApp(ctx);
  return {
    app,
    operatorApp: buildOperatorApp(ctx),
    ctx,
    owner,
    queue,
    call: (method, path, options) => call(app, method, path, options),
    sql: async <Row>(texts: TemplateStringsArray, ...values: unknown[]) =>
      (await sql<Row>(texts, ...values).execute(owner)).rows,
    async close() {
      await app.close();
      await queue.stop();
      await db.destroy();
      await owner.destroy();
      await maintenance.destroy();
      unused.push(name);
      // A log field outside of the allowed list would be dropped in production.
      if (unsaid.length > 0) throw new Error(`the log left something out: ${unsaid.join('')}`);
    },
  };
}

function dataDirOf(clusterUrl: string): string {
  return `${new URL(clusterUrl).searchParams.get('host')}/keys`;
}

async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { token, body, headers } = options;
  const response = await app.inject({
    method,
    url: `/api${path}`,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { payload: body as InjectOptions['payload'] }),
  } as InjectOptions);
  return answerOf(response);
}

/** What a test reads of an injected call. */
export function answerOf({ statusCode, headers, body }: LightMyRequestResponse): Answer {
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status: statusCode, body: isJson ? JSON.parse(body) : null, headers, text: body };
}

/** A signed-in demo tenant: the token, the tenant ids and the facility prefix. */
export type SignedIn = { token: string; tenantIds: string[]; prefix: string };

/**
 * Creates a session of a demo tenant as sign-in does, but without hashing the password, which takes
 * most of its time.
 */
export async function signIn(
  { owner, ctx }: TestApp,
  email: string,
  locationCode = 'TXDFW03',
): Promise<SignedIn> {
  const rows = await owner
    .selectFrom('users as u')
    .innerJoin('corporations as c', (join) =>
      join.onRef('c.id', '=', 'u.corporation_id').on('c.code', '=', 'ANCHOR'),
    )
    .innerJoin('user_tenants as ut', 'ut.user_id', 'u.id')
    .innerJoin('tenants as t', 't.id', 'ut.tenant_id')
    .innerJoin('facilities as f', 'f.id', 't.facility_id')
    .select(['u.id as user_id', 'f.id as facility_id', 't.id as tenant_id'])
    .where('u.email', '=', email)
    .where('u.disabled_at', 'is', null)
    .where('f.location_code', '=', locationCode)
    .orderBy('ut.position')
    .orderBy('t.id')
    .execute();
  if (rows.length === 0) throw new Error(`there is no user ${email} at ${locationCode}`);
  const token = newToken();
  const { user_id, facility_id } = rows[0]!;
  const now = ctx.clock.now();
  await addRows(owner, 'sessions', {
    token_hash: hashToken(token),
    user_id,
    facility_id,
    created_at: now,
    last_seen_at: now,
  });
  const tenantIds = rows.map(({ tenant_id }) => tenant_id);
  return { token, tenantIds, prefix: `/corporations/ANCHOR/locations/${locationCode}` };
}

/** Signs a demo tenant in through the API. */
export async function signInByPassword(
  test: TestApp,
  email: string,
  locationCode = 'TXDFW03',
): Promise<SignedIn> {
  const body = {
    username: email,
    password: DEMO_PASSWORD,
    locationCode,
    corporationCode: 'ANCHOR',
  };
  const answer = await test.call('POST', '/users/login', { body });
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.text}`);
  const { token, tenants } = answer.body as { token: string; tenants: { id: string }[] };
  return {
    token,
    tenantIds: tenants.map(({ id }) => id),
    prefix: `/corporations/ANCHOR/locations/${locationCode}`,
  };
}
