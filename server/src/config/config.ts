import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { failpoints, type FailpointName } from '#config/failpoints.ts';
import { limits, readLimits, type Limits } from '#config/limits.ts';
import { isLoopbackHost, isPrivateAddress } from '#config/private-addresses.ts';
import { StartFault } from '#errors/start-fault.ts';

/** The operator of the demo data, and the default of a portal's build. */
export const DEFAULT_CORPORATION_CODE = 'ANCHOR';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** One name, with an address in angle brackets. */
const SENDER = /^([^<>"\p{Cc}]*[^<>"\p{Cc}\s]) <([^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+)>$/u;

const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/u;

/** Public key, host, project. A secret key would be sent to every visitor. */
const DSN = /^https?:\/\/\w+@[\w.-]+(:\d+)?(\/[\w.-]+)*\/\d+$/;

/**
 * The environment, read once at the start (design section 4). `.env.example` documents the same
 * names.
 */
export const environment = z.object({
  PORT: z.coerce
    .number('PORT must be a number from 0 to 65535.')
    .int('PORT must be a number from 0 to 65535.')
    .min(0, 'PORT must be a number from 0 to 65535.')
    .max(65535, 'PORT must be a number from 0 to 65535.')
    .default(3000),
  PROCESS: z.enum(['all', 'app', 'worker'], 'PROCESS must be all, app or worker.').default('all'),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce
    .number('METRICS_PORT must be a number from 0 to 65535.')
    .int('METRICS_PORT must be a number from 0 to 65535.')
    .min(0, 'METRICS_PORT must be a number from 0 to 65535.')
    .max(65535, 'METRICS_PORT must be a number from 0 to 65535.')
    .optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  DRAIN_SECONDS: z.coerce
    .number('DRAIN_SECONDS must be a number from 0 to 600.')
    .min(0, 'DRAIN_SECONDS must be a number from 0 to 600.')
    .max(600, 'DRAIN_SECONDS must be a number from 0 to 600.')
    .optional(),
  CORS_ORIGINS: z
    .string()
    .refine(
      (text) => listOf(text).every(isOrigin),
      'CORS_ORIGINS must be addresses without a path, with commas between: https://app.example.com.',
    )
    .default(''),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  READ_DATABASE_URL: z.string().optional(),
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
      (text) => text === 'sandbox' || text === 'stripe' || isLoopback(text),
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
      isLoopback,
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
      isWebhookUrl,
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
      isLoopback,
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
  TRUSTED_HOPS: z.coerce
    .number('TRUSTED_HOPS must be a number from 0 to 9.')
    .int('TRUSTED_HOPS must be a number from 0 to 9.')
    .min(0, 'TRUSTED_HOPS must be a number from 0 to 9.')
    .max(9, 'TRUSTED_HOPS must be a number from 0 to 9.')
    .default(0),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL must be one of ${logLevels.join(', ')}.`).optional(),
});

/** The settings of a process. */
export type Config = {
  port: number;
  host: string;
  /** Whether the process serves requests, works on jobs, or both. */
  process: 'all' | 'app' | 'worker';
  /** The operator's port, for metrics and reasons for not being ready; disabled if undefined. */
  metrics: { port: number; host: string } | undefined;
  /** How long a stopping process serves while `/readyz` answers 503, the drain (D33). */
  drainSeconds: number;
  /**
   * Whether calls are shed when the process is overloaded or they have waited too long (D32); the
   * number of concurrent and waiting calls is bounded in any case.
   */
  shedLoad: boolean;
  /** Whether a token that is not bound to a key of its browser is refused (decision 37). */
  requireBoundTokens: boolean;
  /** Other origins whose pages may call the API (D34). */
  corsOrigins: string[];
  dataDir: string;
  databaseUrl: string | undefined;
  /** A standby, for reads that may be a second old. */
  readDatabaseUrl: string | undefined;
  corporationCode: string;
  profile: 'sandbox' | 'live';
  /** The payment gateway. */
  payments: PaymentSettings;
  /** The recipient of alarms; unset, the facility's address. */
  operatorEmail: string | undefined;
  /** The failpoint at which a kill test ends the process. */
  failpoint: FailpointName | undefined;
  /** How far the server's clock is ahead of the machine's, in milliseconds, in a test. */
  clockShiftMs: number;
  /** The mail server; without one mails stay in the sandbox's mailbox. */
  smtpUrl: string | undefined;
  mailFrom: { name: string; address: string };
  /** The portal's address as tenants know it: an origin, without a slash at its end. */
  publicUrl: string;
  /**
   * The office's address, an origin, and whether it has a host of its own; null where no office is
   * served.
   */
  office: { url: string; isApart: boolean } | null;
  /** Where events of requests to staff are sent; unset, nowhere. */
  webhook: WebhookSettings | undefined;
  /** Where the portal reports its errors; unset, it reports none. */
  sentryDsn: string | undefined;
  /** Where photos are stored. */
  files: FileSettings;
  /** The signing service. */
  esign: EsignSettings;
  /** How gate controllers are updated. */
  gate: GateSettings;
  /** Who sends text messages. */
  texts: TextSettings;
  /** Rate limits. */
  limits: Limits;
  /**
   * The number of proxies in front of the server; the caller's address is what the first of them
   * saw.
   */
  trustedHops: number;
  logLevel: string;
  /**
   * The key of D3's debt keys and request hashes and of verification codes: the same for every
   * process on one database.
   */
  secret: Buffer;
  /**
   * The keys of sealed columns: the first encrypts, all decrypt (D25). The same for every process
   * on one database.
   */
  dataKeys: Buffer[];
};

/** `apiUrl` is set for a stub of Stripe's API on this machine. */
export type StripeSettings = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  apiUrl: string | undefined;
};

/**
 * The operator's webhook; with `refusesPrivate`, addresses of private networks are not called
 * (T21).
 */
export type WebhookSettings = { url: string; secret: string; refusesPrivate: boolean };

/**
 * The in-process sandbox, the simulator of the kill tests, or Stripe, whose hosted fields the
 * portal then shows.
 */
export type PaymentSettings =
  | { kind: 'sandbox' }
  | { kind: 'simulator'; url: string }
  | ({ kind: 'stripe' } & StripeSettings);

/**
 * A bucket of Amazon S3 or a compatible service; `prefix` begins each key, `endpoint` is set for
 * other services.
 */
export type S3Settings = {
  bucket: string;
  prefix: string;
  region: string;
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
};

/** The data folder, or a bucket. */
export type FileSettings = { kind: 'disk' } | ({ kind: 's3' } & S3Settings);

/** An outside service that gets signed calls (adapters/signed-post.ts). */
export type ServiceSettings = { url: string; secret: string };

/** Our own table, or a signing service. */
export type EsignSettings = { kind: 'local' } | ({ kind: 'service' } & ServiceSettings);

/** No gates, a table of the sandbox, a folder of CSV files, or a gate controller's webhook. */
export type GateSettings =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | { kind: 'file'; folder: string }
  | ({ kind: 'webhook' } & ServiceSettings);

/**
 * `from` is a number, a short code or a messaging service; `apiUrl` is set for a stub of Twilio's
 * API on this machine.
 */
export type TwilioSettings = {
  accountSid: string;
  authToken: string;
  from: string;
  apiUrl: string | undefined;
};

/** Text messages are not sent, stay in the sandbox's mailbox, or go through Twilio. */
export type TextSettings =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | ({ kind: 'twilio' } & TwilioSettings);

/**
 * Validates the environment: the faults as sentences, and the value of each name. Reads no key and
 * writes nothing.
 */
export function checkEnvironment(env: NodeJS.ProcessEnv): { faults: string[]; given: Given } {
  const { given, unread, faults } = read(env);
  const parsed = environment.safeParse(given);
  const lacks: Lacks = (name) => given[name] === undefined && !unread.has(name);
  faults.push(
    ...sandboxFaults(given, env['NODE_ENV']),
    ...profileFaults(given, lacks),
    ...stripeFaults(given, lacks),
    ...twilioSettings
      .filter((name) => given.TEXTS === 'twilio' && lacks(name))
      .map((name) => `TEXTS=twilio needs ${name}.`),
    ...processFaults(given, lacks),
  );
  if (
    given.FILES?.startsWith('s3:') &&
    (lacks('AWS_ACCESS_KEY_ID') || lacks('AWS_SECRET_ACCESS_KEY'))
  )
    faults.push('FILES names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  if (given.WEBHOOK_URL !== undefined && lacks('WEBHOOK_SECRET'))
    faults.push('WEBHOOK_URL needs WEBHOOK_SECRET, by which its receiver knows us.');
  for (const name of ['GATE', 'ESIGN'])
    if (isService(given[name] ?? '') && lacks(`${name}_SECRET`))
      faults.push(`${name} names an address, which needs ${name}_SECRET.`);
  faults.push(...(parsed.error?.issues.map(({ message }) => message) ?? []));
  return { faults, given };
}

/**
 * Whether DATABASE_URL names a database or the data folder has one. Commands check this before
 * `readConfig`, which would create keys in that folder.
 */
export function isDatabaseGiven({ DATABASE_URL, DATA_DIR }: Given): boolean {
  return DATABASE_URL !== undefined || mayBeThere(join(dataDirOf(DATA_DIR), 'postgres'));
}

/** The StartFault if neither has one. */
export function noDatabaseFault(dataDir: string): StartFault {
  return new StartFault(
    `There is no database in ${dataDir} yet, and DATABASE_URL is not set. Start this version of the server once, which prepares one there, or set DATABASE_URL: on a live machine run the \`gatehouse\` command, which reads its settings.`,
  );
}

/** The folder that DATA_DIR names; unset, that of the default. */
export function dataDirOf(given: string | undefined): string {
  return resolve(environment.shape.DATA_DIR.parse(given));
}

/** Also true if this user may not read the path; that is reported elsewhere. */
function mayBeThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The StartFault for these sentences. */
export function environmentFault(faults: string[]): StartFault {
  return new StartFault(`The environment cannot be used. ${faults.join(' ')}`);
}

/**
 * Reads the environment and the keys. Missing keys of the data folder are created; with `makesKeys`
 * false they are random and not stored. Throws a StartFault that lists every fault.
 */
export function readConfig(env: NodeJS.ProcessEnv, { makesKeys = true } = {}): Config {
  const { faults, given } = checkEnvironment(env);
  const parsed = environment.safeParse(given);
  if (!parsed.success || faults.length > 0) throw environmentFault(faults);
  const dataDir = dataDirOf(parsed.data.DATA_DIR);
  const { SECRET_KEY, DATA_KEYS } = parsed.data;
  return {
    port: parsed.data.PORT,
    host: parsed.data.HOST,
    process: parsed.data.PROCESS,
    metrics:
      parsed.data.METRICS_PORT === undefined
        ? undefined
        : { port: parsed.data.METRICS_PORT, host: parsed.data.METRICS_HOST },
    drainSeconds: parsed.data.DRAIN_SECONDS ?? DRAIN_SECONDS[parsed.data.PROFILE],
    corsOrigins: listOf(parsed.data.CORS_ORIGINS).map((text) => new URL(text).origin),
    dataDir,
    databaseUrl: parsed.data.DATABASE_URL,
    readDatabaseUrl: parsed.data.READ_DATABASE_URL,
    corporationCode: parsed.data.CORPORATION_CODE,
    profile: parsed.data.PROFILE,
    payments: paymentSettings(parsed.data),
    operatorEmail: parsed.data.OPERATOR_EMAIL,
    failpoint: parsed.data.FAILPOINT,
    clockShiftMs: parsed.data.CLOCK_SHIFT_MS ?? 0,
    smtpUrl: mailServerUrl(parsed.data),
    mailFrom: senderOf(parsed.data.MAIL_FROM),
    publicUrl: publicUrlOf(parsed.data),
    office: officeSettings(parsed.data),
    webhook: webhookSettings(parsed.data),
    sentryDsn: parsed.data.SENTRY_DSN,
    files: fileSettings(parsed.data),
    esign:
      parsed.data.ESIGN === 'local'
        ? { kind: 'local' }
        : { kind: 'service', url: parsed.data.ESIGN, secret: parsed.data.ESIGN_SECRET! },
    gate: gateSettings(parsed.data),
    texts: textSettings(parsed.data),
    limits: readLimits(parsed.data.LIMITS)!,
    trustedHops: parsed.data.TRUSTED_HOPS,
    shedLoad: parsed.data.SHED_LOAD === 'on',
    requireBoundTokens: parsed.data.REQUIRE_BOUND_TOKENS === 'on',
    logLevel: parsed.data.LOG_LEVEL ?? LOG_LEVEL[parsed.data.PROFILE],
    secret:
      SECRET_KEY === undefined
        ? sandboxKey(dataDir, 'secret.key', makesKeys)
        : Buffer.from(SECRET_KEY, 'hex'),
    dataKeys:
      DATA_KEYS === undefined
        ? [sandboxKey(dataDir, 'data.key', makesKeys)]
        : DATA_KEYS.split(',').map((key) => Buffer.from(key.trim(), 'hex')),
  };
}

/**
 * Live, longer than a load balancer's health check: every ten seconds with a timeout of 2 s (D33).
 * The sandbox has no load balancer and stops at once.
 */
const DRAIN_SECONDS = { sandbox: 0, live: 12 };

/** The anchors of the audit trail are lines of the level info (I9): a live server writes them. */
const LOG_LEVEL = { sandbox: 'warn', live: 'info' };

const liveSettings = [
  'DATABASE_URL',
  'SECRET_KEY',
  'DATA_KEYS',
  'SMTP_URL',
  'MAIL_FROM',
  'PUBLIC_URL',
  'OPERATOR_EMAIL',
  'TRUSTED_HOPS',
];
const stripeSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;
const twilioSettings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];

/** The variables of the environment; an empty one counts as unset. */
export type Given = Record<string, string>;
/** Whether a name is unset; false if its file cannot be read, which is a separate fault. */
type Lacks = (name: string) => boolean;

/**
 * The sandbox has sign-ins that everybody knows and a mailbox that anybody reads: it does not start
 * by default where it may be a production server, or reachable from other machines.
 */
function sandboxFaults(given: Given, nodeEnv: string | undefined): string[] {
  if (given.PROFILE === 'live' || given.ALLOW_SANDBOX !== undefined) return [];
  const where = reachableBy(given) ?? (nodeEnv === 'production' && 'NODE_ENV is production');
  if (!where) return [];
  return [
    `The profile is sandbox, with demo sign-ins and an open mailbox, and ${where}: set PROFILE=live, or ALLOW_SANDBOX=1 to serve the sandbox here.`,
  ];
}

/** The setting by which other machines reach the server, by its own address or through a proxy. */
function reachableBy({ HOST, PUBLIC_URL }: Given): string | undefined {
  if (HOST !== undefined && !isLoopbackHost(bracketed(HOST))) return `HOST is ${HOST}`;
  const url = PUBLIC_URL !== undefined && URL.parse(PUBLIC_URL);
  return url && !isLoopbackHost(url.hostname) ? `PUBLIC_URL is ${PUBLIC_URL}` : undefined;
}

/** An address as a URL has it: IPv6 in brackets. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/**
 * The requirements of the live profile that are not met, as sentences. Checked even if other
 * settings are malformed.
 */
function profileFaults(given: Given, lacks: Lacks): string[] {
  if (given.PROFILE !== 'live') return [];
  const faults = liveSettings.filter(lacks).map((name) => `The live profile needs ${name}.`);
  if (given.PUBLIC_URL !== undefined && !given.PUBLIC_URL.startsWith('https://'))
    faults.push('The live profile needs a PUBLIC_URL that begins with https://.');
  faults.push(...officeFaults(given));
  if (given.MAIL_FROM?.includes('@localhost'))
    faults.push(
      'The live profile needs a MAIL_FROM that tenants can answer to, not one of localhost.',
    );
  faults.push(...keyFaults(given), ...encryptionFaults(given));
  if (given.PAYMENTS === undefined ? lacks('PAYMENTS') : given.PAYMENTS !== 'stripe')
    faults.push('The live profile needs PAYMENTS=stripe: the others move no money.');
  if (given.STRIPE_API_URL !== undefined)
    faults.push('The live profile refuses STRIPE_API_URL: a stand-in for Stripe moves no money.');
  if (given.WEBHOOK_URL !== undefined && !isPublicHttps(given.WEBHOOK_URL))
    faults.push(
      'The live profile needs a WEBHOOK_URL that begins with https:// and is of no network behind the server.',
    );
  if (given.GATE === 'sandbox' || isLoopbackService(given.GATE ?? ''))
    faults.push(
      'The live profile refuses a GATE that is no gate: give a folder, an address that begins with https://, or none.',
    );
  if (isLoopbackService(given.ESIGN ?? ''))
    faults.push(
      'The live profile refuses an ESIGN on this machine: give local, or an address that begins with https://.',
    );
  if (given.TEXTS === 'sandbox' || given.TWILIO_API_URL !== undefined)
    faults.push(
      'The live profile refuses TEXTS=sandbox and TWILIO_API_URL: a stand-in sends no text messages.',
    );
  if (given.FAILPOINT !== undefined)
    faults.push('The live profile refuses FAILPOINT: it is for kill tests alone.');
  if (given.CLOCK_SHIFT_MS !== undefined)
    faults.push('The live profile refuses CLOCK_SHIFT_MS: it is only for tests.');
  return faults;
}

/** The office has a host of its own, so that no page of the portal's origin can call it. */
function officeFaults({ OFFICE_URL, PUBLIC_URL = '' }: Given): string[] {
  if (OFFICE_URL === undefined || !URL.canParse(OFFICE_URL)) return [];
  const { protocol, hostname } = new URL(OFFICE_URL);
  return [
    ...(protocol === 'https:'
      ? []
      : ['The live profile needs an OFFICE_URL that begins with https://.']),
    ...(hostname === URL.parse(PUBLIC_URL)?.hostname
      ? ['The live profile needs an OFFICE_URL with another host than PUBLIC_URL.']
      : []),
  ];
}

/** A key with fewer different bytes is not random: 32 random bytes have about 30. */
const LEAST_BYTES = 16;

/** Keys that are not random, or are used for two purposes. */
function keyFaults({ SECRET_KEY = '', DATA_KEYS = '' }: Given): string[] {
  const keys = { SECRET_KEY: listOf(SECRET_KEY), DATA_KEYS: listOf(DATA_KEYS) };
  const faults = Object.entries(keys)
    .filter(([, list]) => list.some((key) => new Set(key.match(/../g)).size < LEAST_BYTES))
    .map(([name]) => `${name} is no random key: make one with \`openssl rand -hex 32\`.`);
  if (keys.DATA_KEYS.some((key) => keys.SECRET_KEY.includes(key)))
    faults.push('SECRET_KEY and DATA_KEYS are the same key: each needs its own.');
  return faults;
}

/**
 * Connections to other machines are encrypted, and the other side's certificate is verified: an
 * attacker between them would otherwise read codes, mails and tenants' data.
 */
function encryptionFaults(given: Given): string[] {
  const faults = (['DATABASE_URL', 'READ_DATABASE_URL'] as const)
    .filter((name) => given[name] !== undefined && isUnverifiedDatabase(given[name]))
    .map(
      (name) =>
        `The live profile needs sslmode=verify-full in ${name}, unless it names this machine as its host.`,
    );
  const url = given.SMTP_URL;
  if (url !== undefined && isSmtpUrl(url) && isUnverifiedMailServer(url))
    faults.push(
      'The live profile refuses an SMTP_URL that switches encryption or the check of the certificate off.',
    );
  return faults;
}

/**
 * Whether a database's URL names another machine, without `sslmode=verify-full` alone. pg takes the
 * last of several equal options, a host from the options before the one of the
 * address, and PGHOST where none is named: none of these may bypass the rule.
 */
export function isUnverifiedDatabase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, searchParams } = new URL(text);
  const hosts = [decodeURIComponent(hostname), ...searchParams.getAll('host')].filter(Boolean);
  const isHere = (host: string) => host.startsWith('/') || isLoopbackHost(bracketed(host));
  if (hosts.length > 0 && hosts.every(isHere)) return false;
  const modes = searchParams.getAll('sslmode');
  const isVerified = modes.length > 0 && modes.every((mode) => mode === 'verify-full');
  return !isVerified || searchParams.has('ssl') || searchParams.has('uselibpqcompat');
}

/** nodemailer reads such options from the URL. */
function isUnverifiedMailServer(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  if (isLoopbackHost(hostname)) return false;
  const isOff = (name: string) => ['false', '0'].includes(searchParams.get(name) ?? '');
  const isOn = (name: string) => searchParams.has(name) && !isOff(name);
  return (
    isOn('ignoreTLS') ||
    isOff('requireTLS') ||
    isOff('secure') ||
    isOff('tls.rejectUnauthorized') ||
    searchParams.has('tls')
  );
}

/**
 * In the live profile a mail server on another machine is spoken to with TLS or not at all: an
 * attacker between could otherwise strip STARTTLS from its answer.
 */
function mailServerUrl({ SMTP_URL, PROFILE }: z.infer<typeof environment>): string | undefined {
  if (SMTP_URL === undefined || PROFILE !== 'live') return SMTP_URL;
  const url = new URL(SMTP_URL);
  if (url.protocol === 'smtp:' && !isLoopbackHost(url.hostname))
    url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** Stripe needs all of its keys: test keys in the sandbox, live keys in the live profile. */
function stripeFaults(given: Given, lacks: Lacks): string[] {
  if (given.PAYMENTS !== 'stripe') return [];
  const faults = stripeSettings.filter(lacks).map((name) => `PAYMENTS=stripe needs ${name}.`);
  const [mode, other] = given.PROFILE === 'live' ? ['live', 'test'] : ['test', 'live'];
  for (const name of stripeSettings)
    // One of the wrong form is a separate fault.
    if (
      given[name]?.slice(2).startsWith(`_${other}_`) &&
      environment.shape[name].safeParse(given[name]).success
    )
      faults.push(`${name} must be a ${mode} key in the ${given.PROFILE ?? 'sandbox'} profile.`);
  return faults;
}

/** The embedded database can be used by one process only. */
function processFaults(given: Given, lacks: Lacks): string[] {
  if (!lacks('DATABASE_URL')) return [];
  return [
    ...(given.PROCESS === 'app' || given.PROCESS === 'worker'
      ? [`PROCESS=${given.PROCESS} needs DATABASE_URL.`]
      : []),
    ...(given.READ_DATABASE_URL !== undefined ? ['READ_DATABASE_URL needs DATABASE_URL.'] : []),
  ];
}

/** The schema has checked the form, and the keys of Stripe are there. */
function paymentSettings({ PAYMENTS, ...keys }: z.infer<typeof environment>): PaymentSettings {
  if (PAYMENTS === 'sandbox') return { kind: 'sandbox' };
  if (PAYMENTS !== 'stripe') return { kind: 'simulator', url: new URL(PAYMENTS).origin };
  return {
    kind: 'stripe',
    secretKey: keys.STRIPE_SECRET_KEY!,
    publishableKey: keys.STRIPE_PUBLISHABLE_KEY!,
    webhookSecret: keys.STRIPE_WEBHOOK_SECRET!,
    apiUrl: keys.STRIPE_API_URL,
  };
}

function isLoopback(text: string): boolean {
  return URL.canParse(text) && /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/?$/.test(text);
}

function isSmtpUrl(text: string): boolean {
  return (
    URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''
  );
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/.test(text);
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isSafe && hostname !== '' && username + password + hash === '';
}

/** Judged by the address alone, without resolving its name. */
function isPublicHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && !isLoopbackHost(hostname) && !isPrivateAddress(hostname);
}

type Environment = z.infer<typeof environment>;

function publicUrlOf({ PUBLIC_URL, PORT }: Environment): string {
  return new URL(PUBLIC_URL ?? `http://localhost:${PORT}`).origin;
}

/** In the sandbox the office is beside the portal unless it is given an address. */
function officeSettings(given: Environment): Config['office'] {
  const { OFFICE_URL, PROFILE } = given;
  const portal = publicUrlOf(given);
  if (OFFICE_URL === undefined) return PROFILE === 'live' ? null : { url: portal, isApart: false };
  const { origin, hostname } = new URL(OFFICE_URL);
  return { url: origin, isApart: hostname !== new URL(portal).hostname };
}

/** The secret is set if the address is. */
function webhookSettings({
  WEBHOOK_URL,
  WEBHOOK_SECRET,
  PROFILE,
}: z.infer<typeof environment>): Config['webhook'] {
  if (WEBHOOK_URL === undefined) return undefined;
  return { url: WEBHOOK_URL, secret: WEBHOOK_SECRET!, refusesPrivate: PROFILE === 'live' };
}

/** The parts of a list with commas between. */
function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The schema has checked the form. */
function senderOf(text: string): Config['mailFrom'] {
  const [, name, address] = SENDER.exec(text)!;
  return { name: name!, address: address! };
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

/** The schema has checked the form, and the keys of a bucket are there. */
function fileSettings({ FILES, ...keys }: z.infer<typeof environment>): FileSettings {
  if (FILES === 'disk') return { kind: 'disk' };
  const { hostname, pathname, searchParams } = new URL(FILES);
  return {
    kind: 's3',
    bucket: hostname,
    prefix: pathname.replace(/^\/+|\/+$/g, ''),
    region: searchParams.get('region') ?? 'us-east-1',
    endpoint: searchParams.get('endpoint') ?? undefined,
    accessKeyId: keys.AWS_ACCESS_KEY_ID!,
    secretAccessKey: keys.AWS_SECRET_ACCESS_KEY!,
  };
}

function isLoopbackService(text: string): boolean {
  return URL.canParse(text) && /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(text);
}

/**
 * The address of a service that takes signed calls: https, or on this machine; without user name
 * and password.
 */
function isService(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'https:' || isLoopbackService(text)) && username + password + hash === '';
}

function isGate(text: string): boolean {
  return text === 'none' || text === 'sandbox' || /^file:./.test(text) || isService(text);
}

/** The schema has checked the form, and the secret of an address is there. */
function gateSettings({ GATE, GATE_SECRET }: z.infer<typeof environment>): GateSettings {
  if (GATE === 'none' || GATE === 'sandbox') return { kind: GATE };
  if (GATE.startsWith('file:'))
    return { kind: 'file', folder: resolve(GATE.slice('file:'.length)) };
  return { kind: 'webhook', url: GATE, secret: GATE_SECRET! };
}

/** Where nothing is said, the sandbox profile has its own, and a live portal sends none. */
function textSettings({ TEXTS, PROFILE, ...keys }: z.infer<typeof environment>): TextSettings {
  const kind = TEXTS ?? (PROFILE === 'live' ? 'none' : 'sandbox');
  if (kind !== 'twilio') return { kind };
  return {
    kind,
    accountSid: keys.TWILIO_ACCOUNT_SID!,
    authToken: keys.TWILIO_AUTH_TOKEN!,
    from: keys.TWILIO_FROM!,
    apiUrl: keys.TWILIO_API_URL,
  };
}

/** The value of each name, from the variable or from the file that NAME_FILE names. */
function read(env: NodeJS.ProcessEnv): { given: Given; unread: Set<string>; faults: string[] } {
  const given: Given = {};
  const unread = new Set<string>();
  const faults: string[] = [];
  for (const name of Object.keys(environment.shape)) {
    const path = env[`${name}_FILE`];
    if (env[name]) given[name] = env[name];
    else if (path) {
      const text = textOf(path);
      if (text !== null && text !== '') given[name] = text;
      else {
        unread.add(name);
        faults.push(
          `The file ${path}, which ${name}_FILE names, ${text === null ? 'cannot be read' : 'is empty'}.`,
        );
      }
    }
  }
  return { given, unread, faults };
}

/** Null for a file that cannot be read. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** A key of the data folder, created at the first start. */
function sandboxKey(dataDir: string, name: string, makes: boolean): Buffer {
  const path = join(dataDir, name);
  if (!makes && !mayBeThere(path)) return randomBytes(32);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) makeKey(path);
    const key = readFileSync(path);
    if (key.length === 32) return key;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC')
      throw new StartFault(`The disk is full: nothing can be written to ${dataDir}.`);
    throw new StartFault(
      `The data folder ${dataDir} cannot be written (${code ?? 'unknown fault'}); set DATA_DIR.`,
    );
  }
  throw new StartFault(`The key file ${path} is damaged; it must hold 32 bytes.`);
}

/**
 * Writes the key to a temporary file and renames it once it is on disk, so that a crash leaves a
 * complete key or none.
 */
function makeKey(path: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    writeFileSync(aside, randomBytes(32), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(aside, path);
  } catch (error) {
    // Another process was first; use its key.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
