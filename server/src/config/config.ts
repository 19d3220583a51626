import { resolve } from 'node:path';
import type { FailpointName } from '#config/failpoints.ts';
import { readLimits, type Limits } from '#config/limits.ts';
import { isLoopbackHost } from '#config/private-addresses.ts';
import { dataDirOf, sandboxKey } from './data-folder.ts';
import { environment, listOf, SENDER, type Environment } from './environment.ts';
import { checkEnvironment, environmentFault } from './environment-faults.ts';

/** The settings of a process. */
export type Config = {
  port: number;
  host: string;
  /** Whether the process serves requests, works on jobs, or both. */
  process: 'all' | 'app' | 'worker';
  /** The operator's port, for metrics and reasons for not being ready; disabled if undefined. */
  metrics: { port: number; host: string } | undefined;
  /** How long a stopping process serves while `/readyz` answers 503, the drain. */
  drainSeconds: number;
  /**
   * Whether calls are shed when the process is overloaded or they have waited too long; the number
   * of concurrent and waiting calls is bounded in any case.
   */
  shedLoad: boolean;
  /** Whether a token that is not bound to a key of its browser is refused (decision 37). */
  requireBoundTokens: boolean;
  /** Other origins whose pages may call the API. */
  corsOrigins: string[];
  dataDir: string;
  databaseUrl: string | undefined;
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
   * The key of debt keys and request hashes and of verification codes: the same for every process
   * on one database.
   */
  secret: Buffer;
  /**
   * The keys of sealed columns: the first encrypts, all decrypt. The same for every process on one
   * database.
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

/** The operator's webhook; with `refusesPrivate`, addresses of private networks are not called. */
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
 * Reads the environment and the keys. Missing keys of the data folder are created; with `makesKeys`
 * false they are random and not stored. Throws a StartFault that lists every fault.
 */
export function readConfig(env: NodeJS.ProcessEnv, { makesKeys = true } = {}): Config {
  const { faults, given } = checkEnvironment(env);
  const parsed = environment.safeParse(given);
  if (!parsed.success || faults.length > 0) throw environmentFault(faults);
  const { data } = parsed;
  const dataDir = dataDirOf(data.DATA_DIR);
  return {
    port: data.PORT,
    host: data.HOST,
    process: data.PROCESS,
    metrics:
      data.METRICS_PORT === undefined
        ? undefined
        : { port: data.METRICS_PORT, host: data.METRICS_HOST },
    drainSeconds: data.DRAIN_SECONDS ?? DRAIN_SECONDS[data.PROFILE],
    corsOrigins: listOf(data.CORS_ORIGINS).map((text) => new URL(text).origin),
    dataDir,
    databaseUrl: data.DATABASE_URL,
    corporationCode: data.CORPORATION_CODE,
    profile: data.PROFILE,
    payments: paymentSettings(data),
    operatorEmail: data.OPERATOR_EMAIL,
    failpoint: data.FAILPOINT,
    clockShiftMs: data.CLOCK_SHIFT_MS ?? 0,
    smtpUrl: mailServerUrl(data),
    mailFrom: senderOf(data.MAIL_FROM),
    publicUrl: publicUrlOf(data),
    office: officeSettings(data),
    webhook: webhookSettings(data),
    sentryDsn: data.SENTRY_DSN,
    files: fileSettings(data),
    esign:
      data.ESIGN === 'local'
        ? { kind: 'local' }
        : { kind: 'service', url: data.ESIGN, secret: data.ESIGN_SECRET! },
    gate: gateSettings(data),
    texts: textSettings(data),
    limits: readLimits(data.LIMITS)!,
    trustedHops: data.TRUSTED_HOPS,
    shedLoad: data.SHED_LOAD === 'on',
    requireBoundTokens: data.REQUIRE_BOUND_TOKENS === 'on',
    logLevel: data.LOG_LEVEL ?? LOG_LEVEL[data.PROFILE],
    secret:
      data.SECRET_KEY === undefined
        ? sandboxKey(dataDir, 'secret.key', makesKeys)
        : Buffer.from(data.SECRET_KEY, 'hex'),
    dataKeys:
      data.DATA_KEYS === undefined
        ? [sandboxKey(dataDir, 'data.key', makesKeys)]
        : listOf(data.DATA_KEYS).map((key) => Buffer.from(key, 'hex')),
  };
}

/**
 * Live, longer than a load balancer's health check: every ten seconds with a timeout of 2 s. The
 * sandbox has no load balancer and stops at once.
 */
const DRAIN_SECONDS = { sandbox: 0, live: 12 };

/** The anchors of the audit trail are lines of the level info (I9): a live server writes them. */
const LOG_LEVEL = { sandbox: 'warn', live: 'info' };

/**
 * In the live profile a mail server on another machine is spoken to with TLS or not at all: an
 * attacker between could otherwise strip STARTTLS from its answer.
 */
function mailServerUrl({ SMTP_URL, PROFILE }: Environment): string | undefined {
  if (SMTP_URL === undefined || PROFILE !== 'live') return SMTP_URL;
  const url = new URL(SMTP_URL);
  if (url.protocol === 'smtp:' && !isLoopbackHost(url.hostname))
    url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** The schema has checked the form, and the keys of Stripe are there. */
function paymentSettings({ PAYMENTS, ...keys }: Environment): PaymentSettings {
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

function publicUrlOf({ PUBLIC_URL, PORT }: Environment): string {
  return new URL(PUBLIC_URL ?? `http://localhost:${PORT}`).origin;
}

/** In the sandbox the office is next to the portal unless it is given an address. */
function officeSettings(given: Environment): Config['office'] {
  const { OFFICE_URL, PROFILE } = given;
  const portal = publicUrlOf(given);
  if (OFFICE_URL === undefined) return PROFILE === 'live' ? null : { url: portal, isApart: false };
  const { origin, hostname } = new URL(OFFICE_URL);
  return { url: origin, isApart: hostname !== new URL(portal).hostname };
}

/** The secret is set if the address is. */
function webhookSettings({ WEBHOOK_URL, WEBHOOK_SECRET, PROFILE }: Environment): Config['webhook'] {
  if (WEBHOOK_URL === undefined) return undefined;
  return { url: WEBHOOK_URL, secret: WEBHOOK_SECRET!, refusesPrivate: PROFILE === 'live' };
}

/** The schema has checked the form. */
function senderOf(text: string): Config['mailFrom'] {
  const [, name, address] = SENDER.exec(text)!;
  return { name: name!, address: address! };
}

/** The schema has checked the form, and the keys of a bucket are there. */
function fileSettings({ FILES, ...keys }: Environment): FileSettings {
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

/** The schema has checked the form, and the secret of an address is there. */
function gateSettings({ GATE, GATE_SECRET }: Environment): GateSettings {
  if (GATE === 'none' || GATE === 'sandbox') return { kind: GATE };
  if (GATE.startsWith('file:'))
    return { kind: 'file', folder: resolve(GATE.slice('file:'.length)) };
  return { kind: 'webhook', url: GATE, secret: GATE_SECRET! };
}

/** Where nothing is said, the sandbox profile has its own, and a live portal sends none. */
function textSettings({ TEXTS, PROFILE, ...keys }: Environment): TextSettings {
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
