import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#refusal.ts';

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** Serves the built portal: hashed assets for ever, precompressed; every page of the portal is its one HTML file. */
export async function registerPortal(app: FastifyInstance): Promise<void> {
  if (!existsSync(dist)) return;
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    // A chunk of an earlier build is gone: the page's HTML in its place would only hide that.
    if (request.url.startsWith('/assets/')) throw notFound();
    return reply.sendFile('index.html');
  });
}
