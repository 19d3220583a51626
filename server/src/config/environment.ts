import { z } from 'zod';
import { failpoints } from '#config/failpoints.ts';
import { limits, readLimits } from '#config/limits.ts';
import { isLoopbackHost } from '#config/private-addresses.ts';

/** The operator of the demo data, and the default of a portal's build. */
export const DEFAULT_CORPORATION_CODE = 'ANCHOR';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** Of MAIL_FROM: one name, with an address in angle brackets. */
export const SENDER =
  /^([^<>"\p{Cc}]*[^<>"\p{Cc}\s]) <([^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+)>$/u;

const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/u;

/** Public key, host, project. A secret key would be sent to every visitor. */
const DSN = /^https?:\/\/\w+@[\w.-]+(:\d+)?(\/[\w.-]+)*\/\d+$/;

/** The environment, read once at the start. `.env.example` documents the same names. */
export const environment = z.object({
  PORT: wholeNumber('PORT', 0, 65535).default(3000),
  PROCESS: z.enum(['all', 'app', 'worker'], 'PROCESS must be all, app or worker.').default('all'),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber('METRICS_PORT', 0, 65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  DRAIN_SECONDS: wholeNumber('DRAIN_SECONDS', 0, 600).optional(),
  CORS_ORIGINS: z
    .string()
    .refine(
      (text) => listOf(text).every(isOrigin),
      'CORS_ORIGINS must be addresses without a path, with commas between: https://app.example.com.',
    )
    .default(''),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  CORPORATION_CODE: z.string().default(DEFAULT_CORPORATION_CODE),
  SECRET_KEY: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/i,
      'SECRET_KEY must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them.',
    )
    .optional(),
  DATA_KEYS: z
    .string()
    .regex(
      /^[0-9a-f]{64}(\s*,\s*[0-9a-f]{64})*$/i,
      'DATA_KEYS must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them, or several such with commas between.',
    )
    .optional(),
  PROFILE: z.enum(['sandbox', 'live'], 'PROFILE must be sandbox or live.').default('sandbox'),
  ALLOW_SANDBOX: z.enum(['1'], 'ALLOW_SANDBOX must be 1, or unset.').optional(),
  PAYMENTS: z
    .string()
    .refine(
      (text) => text === 'sandbox' || text === 'stripe' || isStandIn(text),
      'PAYMENTS must be sandbox, stripe, or the payment simulator of the kill tests: http://127.0.0.1:4000.',
    )
    .default('sandbox'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[sr]k_(test|live)_\w+$/,
      'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe: sk_live_… in the live profile, sk_test_… in the sandbox profile.',
    )
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(
      /^pk_(test|live)_\w+$/,
      'STRIPE_PUBLISHABLE_KEY must be a publishable key of Stripe: pk_live_… in the live profile, pk_test_… in the sandbox profile.',
    )
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_\S+$/,
      'STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook at Stripe: whsec_….',
    )
    .optional(),
  STRIPE_API_URL: z
    .string()
    .refine(
      isStandIn,
      'STRIPE_API_URL must be a stand-in for Stripe on this machine: http://127.0.0.1:4000.',
    )
    .optional(),
  OPERATOR_EMAIL: z.string().regex(ADDRESS, 'OPERATOR_EMAIL must be one mail address.').optional(),
  FAILPOINT: z.enum(failpoints, `FAILPOINT must be one of ${failpoints.join(', ')}.`).optional(),
  CLOCK_SHIFT_MS: z.coerce
    .number('CLOCK_SHIFT_MS must be a whole number of milliseconds.')
    .int('CLOCK_SHIFT_MS must be a whole number of milliseconds.')
    .optional(),
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'SMTP_URL must be the address of a mail server: smtps://user:password@host:465.',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'MAIL_FROM must be one sender, as in: Gatehouse <no-reply@example.com>.')
    .default('Gatehouse <no-reply@localhost>'),
  PUBLIC_URL: z
    .string()
    .refine(
      isOrigin,
      'PUBLIC_URL must be the portal’s address without a path: https://portal.example.com.',
    )
    .optional(),
  OFFICE_URL: z
    .string()
    .refine(
      isOrigin,
      'OFFICE_URL must be the office’s address without a path: https://office.example.com.',
    )
    .optional(),
  WEBHOOK_URL: z
    .string()
    .refine(
      isService,
      'WEBHOOK_URL must be an https address without a password or a #, such as https://staff.example.com/gatehouse; http is for this machine alone.',
    )
    .optional(),
  WEBHOOK_SECRET: z
    .string()
    .regex(
      /^[\x21-\x7e]{32,}$/,
      'WEBHOOK_SECRET must have at least 32 characters, such as `openssl rand -hex 32` prints.',
    )
    .optional(),
  SENTRY_DSN: z
    .string()
    .regex(
      DSN,
      'SENTRY_DSN must be a Sentry DSN without a secret: https://public-key@errors.example.com/1.',
    )
    .optional(),
  FILES: z
    .string()
    .refine(
      isFileStore,
      'FILES must be disk, or a bucket: s3://bucket/prefix?region=us-east-1&endpoint=https://host.',
    )
    .default('disk'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  ESIGN: z
    .string()
    .refine(
      (text) => text === 'local' || isService(text),
      'ESIGN must be local, or the address of a signing service: https://sign.example.com/hook.',
    )
    .default('local'),
  ESIGN_SECRET: z.string().min(32, 'ESIGN_SECRET must have 32 characters or more.').optional(),
  GATE: z
    .string()
    .refine(
      isGate,
      'GATE must be none, sandbox, file: with a folder behind it, or the address of the gate’s controller: https://gate.example.com/hook.',
    )
    .default('none'),
  GATE_SECRET: z.string().min(32, 'GATE_SECRET must have 32 characters or more.').optional(),
  TEXTS: z.enum(['none', 'sandbox', 'twilio'], 'TEXTS must be none, sandbox or twilio.').optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits.')
    .optional(),
  TWILIO_AUTH_TOKEN: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, 'TWILIO_AUTH_TOKEN must be 32 hexadecimal digits.')
    .optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+1\d{10}|\d{5,6}|MG[0-9a-f]{32})$/i,
      'TWILIO_FROM must be a number like +18005551212, a short code, or a messaging service: MG and 32 hexadecimal digits.',
    )
    .optional(),
  TWILIO_API_URL: z
    .string()
    .refine(
      isStandIn,
      'TWILIO_API_URL must be a stand-in for Twilio on this machine: http://127.0.0.1:4000.',
    )
    .optional(),
  LIMITS: z
    .string()
    .refine(
      (text) => readLimits(text) !== null,
      `LIMITS must be like sign-ins-a-minute=20; its names are ${Object.keys(limits).join(', ')}.`,
    )
    .default(''),
  SHED_LOAD: z.enum(['on', 'off'], 'SHED_LOAD must be on or off.').default('on'),
  REQUIRE_BOUND_TOKENS: z
    .enum(['on', 'off'], 'REQUIRE_BOUND_TOKENS must be on or off.')
    .default('off'),
  TRUSTED_HOPS: wholeNumber('TRUSTED_HOPS', 0, 9).default(0),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL must be one of ${logLevels.join(', ')}.`).optional(),
});

/** The values of the environment, of the form that the schema demands. */
export type Environment = z.infer<typeof environment>;

/** A number without decimals; what is none, or out of its range, is refused with the range. */
function wholeNumber(name: string, least: number, most: number) {
  const says = `${name} must be a number from ${least} to ${most}.`;
  return z.coerce.number(says).int(says).min(least, says).max(most, says);
}

/** The address of a stand-in for an outside service on this machine. */
function isStandIn(text: string): boolean {
  return isOrigin(text) && isLoopbackService(text);
}

/** Whether a text is the address of a mail server. */
export function isSmtpUrl(text: string): boolean {
  return (
    URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''
  );
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/.test(text);
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function isFileStore(text: string): boolean {
  if (text === 'disk') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, pathname, hash, searchParams } = new URL(text);
  const endpoint = searchParams.get('endpoint') ?? 'https://s3';
  return (
    protocol === 's3:' &&
    BUCKET.test(hostname) &&
    port + username + hash === '' &&
    /^[\w./-]*$/.test(pathname) &&
    [...searchParams.keys()].every((name) => name === 'region' || name === 'endpoint') &&
    URL.canParse(endpoint) &&
    /^https?:$/.test(new URL(endpoint).protocol)
  );
}

/** Whether a text is an http address on this machine. */
export function isLoopbackService(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/**
 * The address of a service that takes signed calls: https, or on this machine; without user name
 * and password.
 */
export function isService(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && !isLoopbackService(text))) return false;
  return url.username + url.password + url.hash === '';
}

function isGate(text: string): boolean {
  return text === 'none' || text === 'sandbox' || /^file:./.test(text) || isService(text);
}

/** The parts of a list with commas between. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
