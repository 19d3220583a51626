import type { FastifyInstance } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Context } from '#context/context.ts';
import { connectionsOf, type Database } from '#db/database.ts';
import type { DifferenceClass } from '#db/tables.ts';

/**
 * Measures every request by route pattern and status. Returns a function that records a request
 * which was answered outside of the app.
 */
export function measureRequests(
  app: FastifyInstance,
  registry: Registry,
): (labels: { method: string; route: string; status: number }, seconds: number) => void {
  const requests = new Histogram({
    name: 'gatehouse_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
    };
    requests.observe(labels, reply.elapsedTime / 1000);
  });
  return (labels, seconds) => requests.observe(labels, seconds);
}

/**
 * `/metrics` in Prometheus' text format: the process, each request, and the state of payments and
 * jobs. The latter is read from the database on demand, so that every process reports the same.
 */
export function registerMetrics(
  app: FastifyInstance,
  { db, clock, gate, metrics: { registry } }: Context,
): void {
  collectDefaultMetrics({ register: registry });
  watchPool(db, registry);
  const refresh = watchBooks(registry, gate !== null);
  app.get('/metrics', async (_request, reply) => {
    await refresh(db, clock.now());
    void reply.type(registry.contentType);
    return registry.metrics();
  });
}

/** Connections of this process: a wait for one delays a request. */
function watchPool(db: Database, registry: Registry): void {
  new Gauge({
    name: 'gatehouse_pool_connections',
    help: 'Connections to the database, in use and idle, and what waits for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connectionsOf(db))) this.set({ state }, count);
    },
  });
}

/** The state in the database is read again after this many milliseconds at the earliest. */
const PAUSE = { least: 5000, most: 300_000 };
/**
 * The pause after counting payments, in multiples of the time that it took: a large operator has a
 * million payments in a month.
 */
const PAUSE_OF_COUNTING = 50;
const differenceClasses: DifferenceClass[] = [
  'gateway_only',
  'ledger_only',
  'amount',
  'status',
  'duplicate',
];

/** Registers the gauges of the database's state; returns a function that updates them. */
function watchBooks(
  registry: Registry,
  hasGate: boolean,
): (db: Database, now: Date) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const alarms = gauge('gatehouse_alarms', 'Alarms ever raised', ['kind']);
  const open = gauge('gatehouse_open_payments', 'Payments whose outcome is not known', ['age']);
  const payments = gauge(
    'gatehouse_payments',
    'Payments of the last 30 days by what became of them',
    ['type', 'state'],
  );
  const differences = gauge(
    'gatehouse_differences',
    'Differences between our books and the gateway ever found',
    ['class'],
  );
  const reconciled = gauge(
    'gatehouse_reconciled_timestamp_seconds',
    'End of the last finished reconciliation',
    ['kind'],
  );
  const waiting = gauge('gatehouse_jobs_waiting', 'Jobs that are due and not done', ['name']);
  const lag = gauge('gatehouse_job_lag_seconds', 'How long the oldest of them has been due', [
    'name',
  ]);
  const mailLag = gauge(
    'gatehouse_mail_lag_seconds',
    'Age of the oldest mail that has not gone out',
    ['kind'],
  );
  const gateLag = gauge(
    'gatehouse_gate_lag_seconds',
    'How long ago the gate’s controller last knew everything that it should',
    ['facility'],
  );
  const answers = gauge('gatehouse_database_up', 'Whether the database answered');
  async function read(db: Database, now: Date): Promise<void> {
    const books = await readBooks(db, now).catch(() => null);
    // Reset and set without an `await` between, so that a concurrent scrape does not see them
    // empty.
    for (const each of [alarms, open, differences, reconciled, waiting, lag, mailLag, gateLag])
      each.reset();
    answers.set(books === null ? 0 : 1);
    if (books === null) return;
    for (const age of ['under 1 min', 'under 15 min', 'over 15 min']) open.set({ age }, 0);
    for (const { kind, count } of books.alarms) alarms.set({ kind }, count);
    for (const { age, count } of books.open) open.set({ age }, count);
    // Without a 0, the first difference of a class would not be an increase.
    for (const of of differenceClasses) differences.set({ class: of }, 0);
    for (const { class: of, count } of books.differences) differences.set({ class: of }, count);
    for (const { kind, at } of books.reconciled) reconciled.set({ kind }, at);
    for (const { name, count, seconds } of books.jobs) {
      waiting.set({ name }, count);
      lag.set({ name }, seconds);
    }
    for (const kind of ['code', 'other']) mailLag.set({ kind }, 0);
    for (const { kind, seconds } of books.mails) mailLag.set({ kind }, seconds);
    if (hasGate)
      for (const { facility, seconds } of books.gates) gateLag.set({ facility }, seconds);
  }
  async function count(db: Database, now: Date): Promise<void> {
    const counts = await countPayments(db, now).catch(() => []);
    payments.reset();
    for (const { type, state, count: of } of counts) payments.set({ type, state }, of);
  }
  const refresh = [paced(read, 0), paced(count, PAUSE_OF_COUNTING)];
  return async (db, now) => {
    await Promise.all(refresh.map((one) => one(db, now)));
  };
}

/**
 * Limits how often the state is read: after a pause of `factor` times the duration of the last
 * reading.
 */
function paced(
  read: (db: Database, now: Date) => Promise<void>,
  factor: number,
): (db: Database, now: Date) => Promise<void> {
  let last = Promise.resolve();
  let next = -Infinity;
  async function time(db: Database, now: Date): Promise<void> {
    const begun = performance.now();
    next = Infinity;
    try {
      await read(db, now);
    } finally {
      const pause = (performance.now() - begun) * factor;
      next = begun + Math.min(PAUSE.most, Math.max(PAUSE.least, pause));
    }
  }
  return (db, now) => {
    if (performance.now() >= next) last = time(db, now);
    return last;
  };
}

type WatchedBooks = {
  alarms: { kind: string; count: number }[];
  open: { age: string; count: number }[];
  differences: { class: string; count: number }[];
  reconciled: { kind: string; at: number }[];
  jobs: { name: string; count: number; seconds: number }[];
  mails: { kind: string; seconds: number }[];
  gates: { facility: string; seconds: number }[];
};

/** Jobs have the database's times, everything else those of the server's clock. */
async function readBooks(db: Database, now: Date): Promise<WatchedBooks> {
  const listOf = (query: RawBuilder<unknown>) =>
    sql`(SELECT coalesce(json_agg(row), '[]') FROM (${query}) row)`;
  const { rows } = await sql<WatchedBooks>`SELECT
    ${listOf(sql`SELECT kind, count(*) FROM alarms GROUP BY kind`)} AS alarms,
    ${listOf(sql`SELECT CASE WHEN ${now} - created_at < interval '1 minute' THEN 'under 1 min'
      WHEN ${now} - created_at < interval '15 minutes' THEN 'under 15 min' ELSE 'over 15 min' END AS age, count(*)
      FROM payment_intents WHERE state IN ('submitted', 'unknown') GROUP BY age`)} AS open,
    ${listOf(sql`SELECT class, count(*) FROM differences GROUP BY class`)} AS differences,
    ${listOf(sql`SELECT kind, extract(epoch FROM max(finished_at)) AS at FROM reconciliations
      WHERE finished_at IS NOT NULL GROUP BY kind`)} AS reconciled,
    ${listOf(sql`SELECT name, count(*), greatest(0, extract(epoch FROM now() - min(start_after))) AS seconds
      FROM pgboss.job WHERE state IN ('created', 'retry') AND start_after <= now() GROUP BY name`)} AS jobs,
    ${listOf(sql`SELECT CASE WHEN priority > 0 THEN 'code' ELSE 'other' END AS kind,
      extract(epoch FROM now() - min(created_on)) AS seconds
      FROM pgboss.job WHERE name = 'deliver-mail' AND state IN ('created', 'retry', 'active') GROUP BY kind`)} AS mails,
    ${listOf(sql`SELECT f.location_code AS facility, greatest(0, extract(epoch FROM ${now} - g.synced_at)) AS seconds
      FROM gate_controllers g JOIN facilities f ON f.id = g.facility_id`)} AS gates`.execute(db);
  return rows[0]!;
}

async function countPayments(
  db: Database,
  now: Date,
): Promise<{ type: string; state: string; count: number }[]> {
  const { rows } = await sql<{ type: string; state: string; count: number }>`
    SELECT type, state, count(*)::int FROM payment_intents
    WHERE created_at > ${now}::timestamptz - interval '30 days' GROUP BY type, state`.execute(db);
  return rows;
}
