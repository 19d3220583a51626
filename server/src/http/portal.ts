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
    globIgnore: ['**/*.br', '**/*.gz', '**/.*', '**/.*/**'],
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    if (!isPage(request.url)) throw notFound();
    return reply.sendFile('index.html');
  });
}

/** Whether the portal's HTML may answer. A file or call that is not there must not look like a page that is. */
function isPage(url: string): boolean {
  const path = decodeURIComponent(url.split('?')[0] ?? '').replace(/\/+/g, '/');
  return !/^\/(api|assets)(\/|$)/.test(path) && !path.includes('.');
}
