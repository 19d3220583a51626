import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { failpoints, type FailpointName } from '#failpoints.ts';
import { limits, readLimits, type Limits } from '#limits.ts';
import { StartFault } from '#start-fault.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** One name, with an address in angle brackets. */
const SENDER = /^([^<>"\p{Cc}]*[^<>"\p{Cc}\s]) <([^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+)>$/u;

const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/u;

/** Public key, host, project. A secret key would be sent to every visitor. */
const DSN = /^https?:\/\/\w+@[\w.-]+(:\d+)?(\/[\w.-]+)*\/\d+$/;

/** The environment, read once at the start (design section 4). `.env.example` documents the same names. */
export const environment = z.object({
  PORT: z.coerce
    .number('PORT must be a number from 0 to 65535.')
    .int('PORT must be a number from 0 to 65535.')
    .min(0, 'PORT must be a number from 0 to 65535.')
    .max(65535, 'PORT must be a number from 0 to 65535.')
    .default(3000),
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
  CORPORATION_CODE: z.string().default('ANCHOR'),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'SECRET_KEY must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them.')
    .optional(),
  DATA_KEYS: z
    .string()
    .regex(
      /^[0-9a-f]{64}(\s*,\s*[0-9a-f]{64})*$/i,
      'DATA_KEYS must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them, or several such with commas between.',
    )
    .optional(),
  PROFILE: z.enum(['sandbox', 'live'], 'PROFILE must be sandbox or live.').default('sandbox'),
  PAYMENTS: z
    .string()
    .refine(
      (text) => text === 'sandbox' || text === 'stripe' || isLoopback(text),
      'PAYMENTS must be sandbox, stripe, or the payment simulator of the kill tests: http://127.0.0.1:4000.',
    )
    .default('sandbox'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe: sk_test_….')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'STRIPE_PUBLISHABLE_KEY must be a publishable key of Stripe: pk_test_….')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'STRIPE_WEBHOOK_SECRET must be the signing secret of the webhook at Stripe: whsec_….')
    .optional(),
  STRIPE_API_URL: z
    .string()
    .refine(isLoopback, 'STRIPE_API_URL must be a stand-in for Stripe on this machine: http://127.0.0.1:4000.')
    .optional(),
  OPERATOR_EMAIL: z.string().regex(ADDRESS, 'OPERATOR_EMAIL must be one mail address.').optional(),
  FAILPOINT: z.enum(failpoints, `FAILPOINT must be one of ${failpoints.join(', ')}.`).optional(),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'SMTP_URL must be the address of a mail server: smtps://user:password@host:465.')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'MAIL_FROM must be one sender, as in: Gatehouse <no-reply@example.com>.')
    .default('Gatehouse <no-reply@localhost>'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'PUBLIC_URL must be the portal’s address without a path: https://portal.example.com.')
    .optional(),
  SENTRY_DSN: z
    .string()
    .regex(DSN, 'SENTRY_DSN must be a Sentry DSN without a secret: https://public-key@errors.example.com/1.')
    .optional(),
  FILES: z
    .string()
    .refine(isFileStore, 'FILES must be disk, or a bucket: s3://bucket/prefix?region=us-east-1&endpoint=https://host.')
    .default('disk'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  LIMITS: z
    .string()
    .refine(
      (text) => readLimits(text) !== null,
      `LIMITS must be like sign-ins-a-minute=20; its names are ${Object.keys(limits).join(', ')}.`,
    )
    .default(''),
  SHED_LOAD: z.enum(['on', 'off'], 'SHED_LOAD must be on or off.').default('on'),
  TRUSTED_HOPS: z.coerce
    .number('TRUSTED_HOPS must be a number from 0 to 9.')
    .int('TRUSTED_HOPS must be a number from 0 to 9.')
    .min(0, 'TRUSTED_HOPS must be a number from 0 to 9.')
    .max(9, 'TRUSTED_HOPS must be a number from 0 to 9.')
    .default(0),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL must be one of ${logLevels.join(', ')}.`).default('warn'),
});

/** Where the process serves, what it keeps and which keys it holds. */
export type Config = {
  port: number;
  host: string;
  /** Where metrics and what is amiss are told to the operator; without a port nowhere. */
  metrics: { port: number; host: string } | undefined;
  /** How long a process that is told to stop goes on serving while `/readyz` says 503 (D33). */
  drainSeconds: number;
  /** Whether calls are refused when the process itself is hard-pressed (D32); how many are worked on at once is bounded anyway. */
  shedLoad: boolean;
  /** Other origins whose pages may call the API (D34). */
  corsOrigins: string[];
  dataDir: string;
  databaseUrl: string | undefined;
  corporationCode: string;
  profile: 'sandbox' | 'live';
  /** Who moves the money. */
  payments: PaymentSettings;
  /** Where alarms go; unset, to the address of the facility that they are about. */
  operatorEmail: string | undefined;
  /** Where a kill test ends the process. */
  failpoint: FailpointName | undefined;
  /** The mail server; without one mails stay in the sandbox's mailbox. */
  smtpUrl: string | undefined;
  mailFrom: { name: string; address: string };
  /** The portal's address as tenants know it: an origin, without a slash at its end. */
  publicUrl: string;
  /** Where the portal reports its errors; unset, it reports none. */
  sentryDsn: string | undefined;
  /** Where photos lie. */
  files: FileSettings;
  /** How often somebody may do what invites attacks. */
  limits: Limits;
  /** How many proxies stand before the server; the caller's address is what the first of them saw. */
  trustedHops: number;
  logLevel: string;
  /** The key of D3's debt keys and request hashes and of verification codes: the same for every process on one database. */
  secret: Buffer;
  /** The keys of what is sealed at rest (D25): the first seals, all open. The same for every process on one database. */
  dataKeys: Buffer[];
};

/** `apiUrl` is where Stripe is not Stripe but a stand-in on this machine. */
export type StripeSettings = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  apiUrl: string | undefined;
};

/** The in-process sandbox, the simulator of the kill tests, or Stripe, whose hosted fields then stand in the portal. */
export type PaymentSettings =
  { kind: 'sandbox' } | { kind: 'simulator'; url: string } | ({ kind: 'stripe' } & StripeSettings);

/** A bucket of Amazon's or of whatever speaks S3; `prefix` begins each key, `endpoint` is where it is not Amazon's. */
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

/** Reads the environment and the keys. Throws a StartFault that lists every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { given, faults } = read(env);
  const parsed = environment.safeParse(given);
  faults.push(...profileFaults(given), ...stripeFaults(given));
  if (parsed.data?.FILES.startsWith('s3:') && !(parsed.data.AWS_ACCESS_KEY_ID && parsed.data.AWS_SECRET_ACCESS_KEY))
    faults.push('FILES names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  if (!parsed.success || faults.length > 0) {
    faults.push(...(parsed.error?.issues.map(({ message }) => message) ?? []));
    throw new StartFault(`The environment cannot be used. ${faults.join(' ')}`);
  }
  const dataDir = resolve(parsed.data.DATA_DIR);
  const { SECRET_KEY, DATA_KEYS } = parsed.data;
  return {
    port: parsed.data.PORT,
    host: parsed.data.HOST,
    metrics:
      parsed.data.METRICS_PORT === undefined
        ? undefined
        : { port: parsed.data.METRICS_PORT, host: parsed.data.METRICS_HOST },
    drainSeconds: parsed.data.DRAIN_SECONDS ?? DRAIN_SECONDS[parsed.data.PROFILE],
    corsOrigins: listOf(parsed.data.CORS_ORIGINS).map((text) => new URL(text).origin),
    dataDir,
    databaseUrl: parsed.data.DATABASE_URL,
    corporationCode: parsed.data.CORPORATION_CODE,
    profile: parsed.data.PROFILE,
    payments: paymentSettings(parsed.data),
    operatorEmail: parsed.data.OPERATOR_EMAIL,
    failpoint: parsed.data.FAILPOINT,
    smtpUrl: parsed.data.SMTP_URL,
    mailFrom: senderOf(parsed.data.MAIL_FROM),
    publicUrl: new URL(parsed.data.PUBLIC_URL ?? `http://localhost:${parsed.data.PORT}`).origin,
    sentryDsn: parsed.data.SENTRY_DSN,
    files: fileSettings(parsed.data),
    limits: readLimits(parsed.data.LIMITS)!,
    trustedHops: parsed.data.TRUSTED_HOPS,
    shedLoad: parsed.data.SHED_LOAD === 'on',
    logLevel: parsed.data.LOG_LEVEL,
    secret: SECRET_KEY === undefined ? sandboxKey(dataDir, 'secret.key') : Buffer.from(SECRET_KEY, 'hex'),
    dataKeys:
      DATA_KEYS === undefined
        ? [sandboxKey(dataDir, 'data.key')]
        : DATA_KEYS.split(',').map((key) => Buffer.from(key.trim(), 'hex')),
  };
}

/** A load balancer asks every ten seconds and 2 s are for its answer (D33); a sandbox has none, and Ctrl-C is quick. */
const DRAIN_SECONDS = { sandbox: 0, live: 12 };

const liveSettings = [
  'DATABASE_URL',
  'SECRET_KEY',
  'DATA_KEYS',
  'SMTP_URL',
  'MAIL_FROM',
  'PUBLIC_URL',
  'OPERATOR_EMAIL',
];
const stripeSettings = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];

type Given = Record<string, string>;

/** What the live profile does not start with or without; each fault a sentence. Also where another setting is malformed. */
function profileFaults(given: Given): string[] {
  if (given.PROFILE !== 'live') return [];
  const faults = liveSettings
    .filter((name) => given[name] === undefined)
    .map((name) => `The live profile needs ${name}.`);
  if (given.PUBLIC_URL !== undefined && !given.PUBLIC_URL.startsWith('https://'))
    faults.push('The live profile needs a PUBLIC_URL that begins with https://.');
  if (given.PAYMENTS !== 'stripe') faults.push('The live profile needs PAYMENTS=stripe: the others move no money.');
  if (given.STRIPE_API_URL !== undefined)
    faults.push('The live profile refuses STRIPE_API_URL: a stand-in for Stripe moves no money.');
  if (given.FAILPOINT !== undefined) faults.push('The live profile refuses FAILPOINT: it is for kill tests alone.');
  return faults;
}

/** Stripe needs all of its keys, those of tests in the sandbox and the real ones in the live profile. */
function stripeFaults(given: Given): string[] {
  if (given.PAYMENTS !== 'stripe') return [];
  const faults = stripeSettings
    .filter((name) => given[name] === undefined)
    .map((name) => `PAYMENTS=stripe needs ${name}.`);
  const [mode, other] = given.PROFILE === 'live' ? ['live', 'test'] : ['test', 'live'];
  for (const name of stripeSettings)
    if (given[name]?.slice(2).startsWith(`_${other}_`))
      faults.push(`${name} must be a ${mode} key in the ${given.PROFILE ?? 'sandbox'} profile.`);
  return faults;
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
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/.test(text);
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

/** What the environment gives for each name, itself or through the file that NAME_FILE names. */
function read(env: NodeJS.ProcessEnv): { given: Record<string, string>; faults: string[] } {
  const given: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of Object.keys(environment.shape)) {
    const path = env[`${name}_FILE`];
    if (env[name]) given[name] = env[name];
    else if (path) {
      try {
        given[name] = readFileSync(path, 'utf8').trim();
      } catch {
        faults.push(`The file ${path}, which ${name}_FILE names, cannot be read.`);
      }
    }
  }
  return { given, faults };
}

/** A key of the data folder, made at the first start. */
function sandboxKey(dataDir: string, name: string): Buffer {
  const path = join(dataDir, name);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) makeKey(path);
    const key = readFileSync(path);
    if (key.length === 32) return key;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new StartFault(`The disk is full: nothing can be written to ${dataDir}.`);
    throw new StartFault(`The data folder ${dataDir} cannot be written (${code ?? 'unknown fault'}); set DATA_DIR.`);
  }
  throw new StartFault(`The key file ${path} is damaged; it must hold 32 bytes.`);
}

/** Writes the key aside and gives it its name once it is on the disk, so that a crash leaves a whole key or none. */
function makeKey(path: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    writeFileSync(aside, randomBytes(32), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(aside, path);
  } catch (error) {
    // Another process was first: its key is the key.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
