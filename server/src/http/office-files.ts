import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#errors/refusal.ts';
import { markOffice } from './access.ts';

/** The folder of the built office. */
export const officeFolder = fileURLToPath(new URL('../../../office/dist/', import.meta.url));

/**
 * The policy of the office's page: its own files and calls. Styles may be inline, because the
 * office's component library (MUI) writes its rules into style elements while it renders; no script
 * may be, and nothing is loaded from or sent to another origin.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  'frame-src blob:',
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the built office below `/office`: hashed assets, cached for ever and precompressed, and
 * its page for every other path. 404 where none is built.
 */
export async function registerOffice(app: FastifyInstance, folder = officeFolder): Promise<void> {
  const file = join(folder, 'index.html');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : null;
  await app.register(async (scope) => {
    markOffice(scope);
    if (page !== null)
      await scope.register(fastifyStatic, {
        root: folder,
        prefix: '/office/',
        decorateReply: false,
        preCompressed: true,
        index: false,
        wildcard: false,
        cacheControl: false,
        globIgnore: ['**/*.br', '**/*.gz', '**/*.html', '**/.*', '**/.*/**'],
        setHeaders(reply, path) {
          reply.header(
            'cache-control',
            path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
          );
        },
      });
    const send = (url: string) => {
      const path = url.split('?')[0] ?? '';
      if (page === null || /^\/office\/assets(\/|$)/.test(path) || path.includes('.'))
        throw notFound();
      return page;
    };
    for (const url of ['/office', '/office/*'])
      scope.get(url, { schema: { hide: true } }, (request, reply) =>
        reply
          .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
          .type('text/html; charset=utf-8')
          .send(send(request.url)),
      );
  });
}
