import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Pages } from './pages.ts';
import { REPORTS_PATH } from './policy-reports.ts';

/** What Stripe's own fields in the page need (C1), and the one policy under which the page may name their script. */
const STRIPE = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  trustedTypes: ['stripe-js'],
};

/** What the page may do beyond its own origin, and what only a portal behind https can ask for. */
export type Beyond = {
  /** Where the page reports errors. */
  sentryDsn?: string | undefined;
  /** Whose fields stand in the page. */
  hostedFields?: 'stripe' | null;
  /** Whether tenants reach the portal by https: elsewhere an upgraded request would find nobody. */
  isHttps?: boolean;
};

/** The policy of all that is no page: loads nothing, runs nothing, stands in no frame (C1). */
const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The headers of D34 on every answer; what is a page says its own policy. */
export async function registerHeaders(app: FastifyInstance, { hostedFields = null }: Beyond = {}): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // To sign in to a bank Stripe's frame opens a window, which tells it how that went.
    crossOriginOpenerPolicy: { policy: hostedFields === null ? 'same-origin' : 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', BARE_POLICY);
    done();
  });
}

/**
 * The headers with the policy of the portal's HTML (C1). `pages` says what may stand inline in it; nothing else may. Browsers
 * tell us what the policy refuses, where the page came by https.
 */
export function pageHeaders(
  pages: Pages,
  { sentryDsn, hostedFields = null, isHttps = false }: Beyond = {},
): Record<string, string> {
  const fields = hostedFields === 'stripe' ? STRIPE : null;
  const quoted = (hashes: string[]) => hashes.map((hash) => `'${hash}'`);
  const directives: [string, ...string[]][] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...quoted(pages.scripts), ...(fields?.script ?? [])],
    ['style-src', "'self'", ...quoted(pages.styles)],
    ['img-src', "'self'", 'blob:', 'data:'],
    ['font-src', "'self'"],
    [
      'connect-src',
      "'self'",
      ...(sentryDsn === undefined ? [] : [new URL(sentryDsn).origin]),
      ...(fields?.connect ?? []),
    ],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-src', ...(fields?.frame ?? ["'none'"])],
    ['frame-ancestors', "'none'"],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', ...(fields?.trustedTypes ?? ["'none'"])],
    ...(isHttps ? [['upgrade-insecure-requests'] as [string]] : []),
    ['report-to', 'csp'],
  ];
  return {
    'content-security-policy': directives.map((parts) => parts.join(' ')).join('; '),
    'reporting-endpoints': `csp="${REPORTS_PATH}"`,
  };
}

/** Answers of the API are never kept and never rendered (D34). */
export const sealed = { 'cache-control': 'no-store', 'content-security-policy': `${BARE_POLICY}; sandbox` };

export function sealApi(api: FastifyInstance): void {
  api.addHook('onSend', async (_request, reply) => {
    reply.headers(sealed);
  });
}
