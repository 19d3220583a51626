import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Context } from '#context.ts';
import { missingMigrations } from '#db/database.ts';

/** `/healthz` speaks for the process alone; `/readyz` for the database, its migrations and its job queue (D33). */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  app.get('/healthz', { schema: { hide: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const faults = await findFaults(ctx);
    void reply.status(faults.length === 0 ? 200 : 503);
    return { status: faults.length === 0 ? 'ok' : 'not ready', faults };
  });
}

async function findFaults({ db }: Context): Promise<string[]> {
  try {
    const missing = await missingMigrations(db);
    await sql`SELECT 1 FROM pgboss.version`.execute(db);
    return missing.map((name) => `the migration ${name} has not run`);
  } catch {
    return ['the database or its job queue does not answer'];
  }
}

/** `/metrics` in Prometheus' text form: the process, and each request by route pattern and status. */
export function registerMetrics(app: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gatehouse_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode };
    requests.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    void reply.type(registry.contentType);
    return registry.metrics();
  });
}
