import type { FastifyInstance } from 'fastify';
import type { Pages } from './pages.ts';
import { REPORTS_PATH } from './policy-reports.ts';

/**
 * The sources that Stripe's hosted fields need, and the only Trusted Types policy that may create
 * their script.
 */
const STRIPE = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  trustedTypes: ['stripe-js'],
};

/** What the page may load beyond its own origin, and whether it is served over https. */
export type Beyond = {
  /** The DSN to which the page reports errors. */
  sentryDsn?: string | undefined;
  /** The provider of the hosted fields. */
  hostedFields?: 'stripe' | null;
  /** Whether tenants reach the portal over https; elsewhere upgraded requests would fail. */
  isHttps?: boolean;
};

/**
 * The policy of every answer that is not a page: it loads nothing, runs nothing and cannot be
 * framed.
 */
const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The Trusted Types policy that names the script of the service worker, and no other
 * (web/src/features/gate-access/offline-page.ts).
 */
const OFFLINE_POLICY = 'service-worker';

/**
 * The policy of the service worker's script, which holds for what it fetches: the portal's own
 * pages and files.
 */
export const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Sets the security headers on every answer; pages set their own policy. */
export function registerHeaders(app: FastifyInstance, { hostedFields = null }: Beyond = {}): void {
  const headers = {
    'content-security-policy': BARE_POLICY,
    // Stripe's frame opens a window to sign in to a bank, and the window reports back to it.
    'cross-origin-opener-policy':
      hostedFields === null ? 'same-origin' : 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/**
 * The headers with the policy of the portal's pages. `pages` has the hashes of their inline scripts
 * and style; no other may run. Browsers report violations where the page came over https.
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
    ['style-src', "'self'", ...quoted([pages.style])],
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
    ['trusted-types', OFFLINE_POLICY, ...(fields?.trustedTypes ?? [])],
    ...(isHttps ? [['upgrade-insecure-requests'] as [string]] : []),
    ['report-to', 'csp'],
  ];
  return {
    'content-security-policy': directives.map((parts) => parts.join(' ')).join('; '),
    'reporting-endpoints': `csp="${REPORTS_PATH}"`,
  };
}

/** Answers of the API are never cached and never rendered. */
export const sealed = {
  'cache-control': 'no-store',
  'content-security-policy': `${BARE_POLICY}; sandbox`,
};

export function sealApi(api: FastifyInstance): void {
  api.addHook('onSend', async (_request, reply) => {
    reply.headers(sealed);
  });
}
