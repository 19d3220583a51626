import { fastify, type FastifyInstance } from 'fastify';
import type { Context } from '#context.ts';
import { registerReadiness } from './health.ts';
import { registerMetrics } from './metrics.ts';

/**
 * What is the operator's to know and no tenant's: `/metrics`, and `/readyz` with what is amiss. For a port of its own, which
 * is not served to the world.
 */
export function buildOperatorApp(ctx: Context): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  registerMetrics(app, ctx);
  registerReadiness(app, ctx);
  return app;
}
