import { fastify, type FastifyInstance } from 'fastify';
import type { Context } from '#context/context.ts';
import { answerError } from './errors.ts';
import { registerReadiness } from './health.ts';
import { refuseOtherHosts } from './hosts.ts';
import { registerMetrics } from './metrics.ts';

/**
 * The routes for the operator only: `/metrics`, and `/readyz` with the faults. They listen on a
 * port of their own, which is not public, and for its own hosts only.
 */
export function buildOperatorApp(ctx: Context): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler(answerError);
  const { host = '127.0.0.1' } = ctx.config.metrics ?? {};
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  refuseOtherHosts(app, [url], 'METRICS_HOST');
  registerMetrics(app, ctx);
  registerReadiness(app, ctx);
  return app;
}
