import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { readPages } from './pages.ts';

/** What Stripe's own fields in the page need (C1), and the one policy under which the page may name their script. */
const STRIPE = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  trustedTypes: ['stripe-js'],
};

/** What the page may do beyond its own origin: `sentryDsn` is where it reports errors, `hostedFields` whose fields stand in it. */
export type Beyond = { sentryDsn?: string | undefined; hostedFields?: 'stripe' | null };

/**
 * The page's policy (C1) and the headers of D34; the operator's proxy adds HSTS. `pages` says what may stand inline in
 * the portal's HTML; nothing else may.
 */
export async function registerHeaders(
  app: FastifyInstance,
  pages: ReturnType<typeof readPages> = readPages(),
  { sentryDsn, hostedFields = null }: Beyond = {},
): Promise<void> {
  const fields = hostedFields === 'stripe' ? STRIPE : null;
  const quoted = (hashes: string[] = []) => hashes.map((hash) => `'${hash}'`);
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...quoted(pages?.scripts), ...(fields?.script ?? [])],
        styleSrc: ["'self'", ...quoted(pages?.styles)],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: [
          "'self'",
          ...(sentryDsn === undefined ? [] : [new URL(sentryDsn).origin]),
          ...(fields?.connect ?? []),
        ],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameSrc: fields?.frame ?? ["'none'"],
        frameAncestors: ["'none'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: fields?.trustedTypes ?? ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // To sign in to a bank Stripe's frame opens a window, which tells it how that went.
    crossOriginOpenerPolicy: { policy: fields === null ? 'same-origin' : 'same-origin-allow-popups' },
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
