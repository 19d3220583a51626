import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { failpoints, type FailpointName } from '#failpoints.ts';
import { limits, readLimits, type Limits } from '#limits.ts';
import { isLoopbackHost, isPrivateAddress } from '#private-addresses.ts';
import { StartFault } from '#start-fault.ts';

/** The operator of the demo world, and of a portal whose build names none. */
export const DEFAULT_CORPORATION_CODE = 'ANCHOR';

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
    .regex(DSN, 'SENTRY_DSN must be a Sentry DSN without a secret: https://public-key@errors.example.com/1.')
    .optional(),
  FILES: z
    .string()
    .refine(isFileStore, 'FILES must be disk, or a bucket: s3://bucket/prefix?region=us-east-1&endpoint=https://host.')
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
  /** What of the product the process does: serve, work on jobs, or both. */
  process: 'all' | 'app' | 'worker';
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
  /** A standby of it, for answers that may be a second old. */
  readDatabaseUrl: string | undefined;
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
  /** Who is told of every event of the messages to staff; unset, nobody. */
  webhook: WebhookSettings | undefined;
  /** Where the portal reports its errors; unset, it reports none. */
  sentryDsn: string | undefined;
  /** Where photos lie. */
  files: FileSettings;
  /** Who has tenants sign documents. */
  esign: EsignSettings;
  /** Who is told what opens the gates. */
  gate: GateSettings;
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

/** The operator's webhook; where `refusesPrivate` is set, no address of a network behind the server is asked (T21). */
export type WebhookSettings = { url: string; secret: string; refusesPrivate: boolean };

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

/** A service outside that takes signed calls (adapters/signed-post.ts). */
export type ServiceSettings = { url: string; secret: string };

/** Our own table, or a signing service. */
export type EsignSettings = { kind: 'local' } | ({ kind: 'service' } & ServiceSettings);

/** Nobody, a table of the sandbox, a folder of CSV files, or the gate controller's own software. */
export type GateSettings =
  { kind: 'none' } | { kind: 'sandbox' } | { kind: 'file'; folder: string } | ({ kind: 'webhook' } & ServiceSettings);

/** What is wrong with the environment, each fault a sentence, and what it gives for each name. Reads no key and writes nothing. */
export function checkEnvironment(env: NodeJS.ProcessEnv): { faults: string[]; given: Given } {
  const { given, unread, faults } = read(env);
  const parsed = environment.safeParse(given);
  const lacks: Lacks = (name) => given[name] === undefined && !unread.has(name);
  faults.push(...profileFaults(given, lacks), ...stripeFaults(given, lacks), ...processFaults(given, lacks));
  if (given.FILES?.startsWith('s3:') && (lacks('AWS_ACCESS_KEY_ID') || lacks('AWS_SECRET_ACCESS_KEY')))
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
 * Whether DATABASE_URL names a database or the data folder has one. For who must not make the keys of that folder, as
 * `readConfig` does, only to find that there is nothing to use them on.
 */
export function isDatabaseGiven({ DATABASE_URL, DATA_DIR }: Given): boolean {
  return DATABASE_URL !== undefined || mayBeThere(join(dataDirOf(DATA_DIR), 'postgres'));
}

/** The StartFault where neither has one. */
export function noDatabaseFault(dataDir: string): StartFault {
  return new StartFault(
    `There is no database in ${dataDir} yet, and DATABASE_URL is not set. Start this version of the server once, which prepares one there, or set DATABASE_URL: on a live machine run the \`gatehouse\` command, which reads its settings.`,
  );
}

/** The folder that DATA_DIR names; unset, that of the default. */
export function dataDirOf(given: string | undefined): string {
  return resolve(environment.shape.DATA_DIR.parse(given));
}

/** Also where this user may not look, which is not for here to tell. */
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
 * Reads the environment and the keys; those of the data folder are made where there are none, or with `makesKeys` false are
 * drawn and kept nowhere. Throws a StartFault that lists every fault at once.
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
    smtpUrl: parsed.data.SMTP_URL,
    mailFrom: senderOf(parsed.data.MAIL_FROM),
    publicUrl: new URL(parsed.data.PUBLIC_URL ?? `http://localhost:${parsed.data.PORT}`).origin,
    webhook: webhookSettings(parsed.data),
    sentryDsn: parsed.data.SENTRY_DSN,
    files: fileSettings(parsed.data),
    esign:
      parsed.data.ESIGN === 'local'
        ? { kind: 'local' }
        : { kind: 'service', url: parsed.data.ESIGN, secret: parsed.data.ESIGN_SECRET! },
    gate: gateSettings(parsed.data),
    limits: readLimits(parsed.data.LIMITS)!,
    trustedHops: parsed.data.TRUSTED_HOPS,
    shedLoad: parsed.data.SHED_LOAD === 'on',
    logLevel: parsed.data.LOG_LEVEL,
    secret: SECRET_KEY === undefined ? sandboxKey(dataDir, 'secret.key', makesKeys) : Buffer.from(SECRET_KEY, 'hex'),
    dataKeys:
      DATA_KEYS === undefined
        ? [sandboxKey(dataDir, 'data.key', makesKeys)]
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
  'TRUSTED_HOPS',
];
const stripeSettings = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

/** What the environment gives, by name; what is empty counts as unset. */
export type Given = Record<string, string>;
/** Whether nothing gives a name: not for one whose file has nothing to read, which is a fault of its own. */
type Lacks = (name: string) => boolean;

/** What the live profile does not start with or without; each fault a sentence. Also where another setting is malformed. */
function profileFaults(given: Given, lacks: Lacks): string[] {
  if (given.PROFILE !== 'live') return [];
  const faults = liveSettings.filter(lacks).map((name) => `The live profile needs ${name}.`);
  if (given.PUBLIC_URL !== undefined && !given.PUBLIC_URL.startsWith('https://'))
    faults.push('The live profile needs a PUBLIC_URL that begins with https://.');
  if (given.MAIL_FROM?.includes('@localhost'))
    faults.push('The live profile needs a MAIL_FROM that tenants can answer to, not one of localhost.');
  faults.push(...keyFaults(given));
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
  if (given.FAILPOINT !== undefined) faults.push('The live profile refuses FAILPOINT: it is for kill tests alone.');
  return faults;
}

/** Fewer different bytes than this, and nobody drew the key: a random one of 32 bytes has 30 of them. */
const LEAST_BYTES = 16;

/** Keys that were made up by hand, or used for two things. */
function keyFaults({ SECRET_KEY = '', DATA_KEYS = '' }: Given): string[] {
  const keys = { SECRET_KEY: listOf(SECRET_KEY), DATA_KEYS: listOf(DATA_KEYS) };
  const faults = Object.entries(keys)
    .filter(([, list]) => list.some((key) => new Set(key.match(/../g)).size < LEAST_BYTES))
    .map(([name]) => `${name} is no random key: make one with \`openssl rand -hex 32\`.`);
  if (keys.DATA_KEYS.some((key) => keys.SECRET_KEY.includes(key)))
    faults.push('SECRET_KEY and DATA_KEYS are the same key: each needs its own.');
  return faults;
}

/** Stripe needs all of its keys, those of tests in the sandbox and the real ones in the live profile. */
function stripeFaults(given: Given, lacks: Lacks): string[] {
  if (given.PAYMENTS !== 'stripe') return [];
  const faults = stripeSettings.filter(lacks).map((name) => `PAYMENTS=stripe needs ${name}.`);
  const [mode, other] = given.PROFILE === 'live' ? ['live', 'test'] : ['test', 'live'];
  for (const name of stripeSettings)
    // One of the wrong form is a fault of its own.
    if (given[name]?.slice(2).startsWith(`_${other}_`) && environment.shape[name].safeParse(given[name]).success)
      faults.push(`${name} must be a ${mode} key in the ${given.PROFILE ?? 'sandbox'} profile.`);
  return faults;
}

/** The embedded database is one process's own. */
function processFaults(given: Given, lacks: Lacks): string[] {
  if (!lacks('DATABASE_URL')) return [];
  return [
    ...(given.PROCESS === 'app' || given.PROCESS === 'worker' ? [`PROCESS=${given.PROCESS} needs DATABASE_URL.`] : []),
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
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
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

/** As far as the address itself tells. */
function isPublicHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && !isLoopbackHost(hostname) && !isPrivateAddress(hostname);
}

/** Its secret is there where its address is. */
function webhookSettings({ WEBHOOK_URL, WEBHOOK_SECRET, PROFILE }: z.infer<typeof environment>): Config['webhook'] {
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

/** The address of a service that takes signed calls: https, or on this machine; nobody is named in it. */
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
  if (GATE.startsWith('file:')) return { kind: 'file', folder: resolve(GATE.slice('file:'.length)) };
  return { kind: 'webhook', url: GATE, secret: GATE_SECRET! };
}

/** What the environment gives for each name, itself or through the file that NAME_FILE names. */
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
        faults.push(`The file ${path}, which ${name}_FILE names, ${text === null ? 'cannot be read' : 'is empty'}.`);
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

/** A key of the data folder, made at the first start. */
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
