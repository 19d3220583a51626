import { fastify, type FastifyInstance } from 'fastify';
import type { Context } from '#context/context.ts';
import { registerReadiness } from './health.ts';
import { registerMetrics } from './metrics.ts';

/**
 * The routes for the operator only: `/metrics`, and `/readyz` with the faults. They listen on a
 * port of their own, which is not public.
 */
export function buildOperatorApp(ctx: Context): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  registerMetrics(app, ctx);
  registerReadiness(app, ctx);
  return app;
}
