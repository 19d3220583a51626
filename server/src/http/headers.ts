import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { readPages } from './pages.ts';

/**
 * The page's policy (C1) and the headers of D34; the operator's proxy adds HSTS. `pages` says what may stand inline in
 * the portal's HTML; nothing else may. `sentryDsn` is where the portal reports errors, the one other origin it calls.
 */
export async function registerHeaders(app: FastifyInstance, pages = readPages(), sentryDsn?: string): Promise<void> {
  const quoted = (hashes: string[] = []) => hashes.map((hash) => `'${hash}'`);
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...quoted(pages?.scripts)],
        styleSrc: ["'self'", ...quoted(pages?.styles)],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(sentryDsn === undefined ? [] : [new URL(sentryDsn).origin])],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameSrc: ["'none'"],
        frameAncestors: ["'none'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
}

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Answers of the API are never kept and never rendered (D34). */
export function sealApi(api: FastifyInstance): void {
  api.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    reply.header('content-security-policy', API_POLICY);
  });
}
