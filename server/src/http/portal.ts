import { basename } from 'node:path';
import fastifyStatic from '@fastify/static';
import { folderOf } from '@gatehouse/language/folder';
import { type Language, languages } from '@gatehouse/language/language';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#errors/refusal.ts';
import { type Beyond, pageHeaders, SERVICE_WORKER_POLICY } from './headers.ts';
import { pageLanguage } from './language.ts';
import { type Pages, portalFolder, readPages } from './pages.ts';

/** The files that each language has its own of, under one address. */
const translated = ['sw.js', 'portal.webmanifest'];

/**
 * Serves the built portal: hashed assets, cached for ever and precompressed, and the HTML file of
 * each page, in the reader's language, with its policy and a header with the DSN for error reports
 * (web/src/app/error-reporting.ts).
 */
export async function registerPortal(
  app: FastifyInstance,
  folder = portalFolder,
  beyond: Beyond = {},
): Promise<void> {
  const english = readPages(folder);
  if (english === null) return;
  const pagesOf: Record<Language, Pages> = {
    en: english,
    es: readPages(folder, 'es') ?? english,
  };
  const unlisted = languages.flatMap((language) => Object.values(pagesOf[language].below));
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    globIgnore: [
      ...['**/*.br', '**/*.gz', '**/*.html', '**/.*', '**/.*/**'],
      ...translated.map((name) => `**/${name}`),
    ],
    setHeaders(reply, path) {
      const file = path.replace(/\.(br|gz)$/, '');
      reply.header('cache-control', cachingOf(file, unlisted));
      if (basename(file) === 'sw.js')
        reply.header('content-security-policy', SERVICE_WORKER_POLICY);
    },
  });
  // Sent without a DSN too: otherwise a browser would keep the one stored with its cached file.
  const sink = { 'server-timing': `error-sink;desc="${beyond.sentryDsn ?? ''}"` };
  const headersOf = (language: Language) => ({
    ...pageHeaders(pagesOf[language], beyond),
    ...sink,
    ...varying,
  });
  const headers = { en: headersOf('en'), es: headersOf('es') };
  for (const name of translated)
    app.get(`/${name}`, { schema: { hide: true } }, (request, reply) =>
      // Without validators: those of two languages may be of one size and time.
      reply.headers(varying).sendFile(`${folderOf(pageLanguage(request))}${name}`, {
        etag: false,
        lastModified: false,
      }),
    );
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const language = pageLanguage(request);
    const file = fileOf(request.url, pagesOf[language]);
    if (unlisted.includes(file)) reply.header('x-robots-tag', 'noindex, nofollow');
    return reply.headers(headers[language]).sendFile(file);
  });
}

/** What else than the address a page depends on (language.ts). */
const varying = { vary: 'accept-encoding, accept-language, cookie' };

/** `unlisted`: the pages whose address is a secret. */
function cachingOf(path: string, unlisted: string[]): string {
  if (path.includes('/assets/')) return 'public, max-age=31536000, immutable';
  return unlisted.some((file) => path.endsWith(`/${file}`)) ? 'no-store' : 'no-cache';
}

/** The HTML file of a path. An unknown file or call must not be answered with a page. */
function fileOf(url: string, { files, below, otherwise }: Pages): string {
  const path = decodeURIComponent(url.split('?')[0] ?? '').replace(/\/+/g, '/');
  if (/^\/(api|assets)(\/|$)/.test(path) || path.includes('.')) throw notFound();
  // A trailing slash is ignored.
  const [, folder = ''] = /^(\/[^/]+\/)[^/]+\/?$/.exec(path) ?? [];
  return files[path.replace(/(.)\/$/, '$1')] ?? below[folder] ?? otherwise;
}
