import { fastify, type FastifyInstance } from 'fastify';
import { createSerializerCompiler } from 'fastify-type-provider-zod';
import type { Context } from '#context/context.ts';
import { notFound } from '#errors/refusal.ts';
import { answerError } from './errors.ts';
import { registerHealth } from './health.ts';

/** The server of a process that only runs jobs: `/healthz` and `/readyz`, for its supervisor. */
export function buildWorkerApp(ctx: Context): FastifyInstance {
  const app = fastify({
    bodyLimit: 1024,
    requestTimeout: 10_000,
    connectionTimeout: 10_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.setSerializerCompiler(createSerializerCompiler());
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  registerHealth(app, ctx);
  return app;
}
