import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The page's policy (C1) and the headers of D34; the operator's proxy adds HSTS. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
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
