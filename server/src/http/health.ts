import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#context/context.ts';
import { missingMigrations } from '#db/database.ts';

/** The time for the database to answer before the process counts as not ready. */
const DATABASE_MS = 1000;

const health = z.object({ status: z.string() });

/**
 * `/healthz` reports on the process only; `/readyz` on the database, its migrations and its job
 * queue, and answers 503 as soon as the process begins to stop. The faults are listed on the
 * operator's port only.
 */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  const schema = { hide: true, response: { 200: health, 503: health } };
  app.get('/healthz', { schema }, () => ({ status: 'ok' }));

  const findFaults = faultFinder(ctx);
  app.get('/readyz', { schema }, async (_request, reply) => {
    const faults = await findFaults();
    void reply.status(faults.length === 0 ? 200 : 503).header('cache-control', 'no-store');
    return { status: faults.length === 0 ? 'ok' : 'not ready' };
  });
}

/** `/readyz` for the operator, with the faults. */
export function registerReadiness(app: FastifyInstance, ctx: Context): void {
  const findFaults = faultFinder(ctx);
  app.get('/readyz', async (_request, reply) => {
    const faults = await findFaults();
    void reply.status(faults.length === 0 ? 200 : 503);
    return { status: faults.length === 0 ? 'ok' : 'not ready', faults };
  });
}

/**
 * Finds the faults that keep the process from serving. Requests during a check share its result.
 */
function faultFinder({ db, stopping }: Context): () => Promise<string[]> {
  const ask = async () => {
    const missing = await missingMigrations(db);
    await sql`SELECT 1 FROM pgboss.version`.execute(db);
    return missing.map((name) => `the migration ${name} has not run`);
  };
  let asked: Promise<string[]> | undefined;
  return async () => {
    if (stopping.aborted) return ['the process is stopping'];
    asked ??= ask()
      .catch(() => ['the database or its job queue does not answer'])
      .finally(() => (asked = undefined));
    return withinTime(asked);
  };
}

/** The result of the check, or a timeout as a fault. */
function withinTime(answer: Promise<string[]>): Promise<string[]> {
  const late = Promise.withResolvers<string[]>();
  const timer = setTimeout(
    () => late.resolve(['the database does not answer within a second']),
    DATABASE_MS,
  );
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
