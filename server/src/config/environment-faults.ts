import { readFileSync } from 'node:fs';
import { isLoopbackHost, isPrivateAddress } from '#config/private-addresses.ts';
import { StartFault } from '#errors/start-fault.ts';
import { environment, isLoopbackService, isService, isSmtpUrl, listOf } from './environment.ts';

/** The variables of the environment; an empty one counts as unset. */
export type Given = Record<string, string>;

/** Whether a name is unset; false if its file cannot be read, which is a separate fault. */
type Lacks = (name: string) => boolean;

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

/** The StartFault for these sentences. */
export function environmentFault(faults: string[]): StartFault {
  return new StartFault(`The environment cannot be used. ${faults.join(' ')}`);
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

/**
 * The sandbox has published sign-ins and an open mailbox: it does not start
 * by default where it may be a production server, or reachable from other machines.
 */
function sandboxFaults(given: Given, nodeEnv: string | undefined): string[] {
  if (given.PROFILE === 'live' || given.ALLOW_SANDBOX !== undefined) return [];
  const isProduction = nodeEnv?.trim().toLowerCase() === 'production';
  const where = reachableBy(given) ?? (isProduction && 'NODE_ENV is production');
  if (!where) return [];
  return [
    `The profile is sandbox, with demo sign-ins and an open mailbox, and ${where}: set PROFILE=live, or ALLOW_SANDBOX=1 to serve the sandbox here.`,
  ];
}

/** The setting by which other machines reach the server, by its own address or through a proxy. */
function reachableBy({ HOST, TRUSTED_HOPS, ...given }: Given): string | undefined {
  if (HOST !== undefined && !isLoopbackHost(bracketed(HOST))) return `HOST is ${HOST}`;
  for (const name of ['PUBLIC_URL', 'OFFICE_URL']) {
    const url = URL.parse(given[name] ?? '');
    if (url !== null && !isLoopbackHost(url.hostname)) return `${name} is ${given[name]!}`;
  }
  return Number(TRUSTED_HOPS ?? 0) > 0 ? `TRUSTED_HOPS is ${TRUSTED_HOPS!}` : undefined;
}

/** An address as a URL has it: IPv6 in brackets. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

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
  const faults: string[] = [];
  const { DATABASE_URL: database, SMTP_URL: url } = given;
  if (database !== undefined && isUnverifiedDatabase(database))
    faults.push(
      'The live profile needs sslmode=verify-full in DATABASE_URL, unless it names this machine as its host.',
    );
  if (url !== undefined && isSmtpUrl(url) && isUnverifiedMailServer(url))
    faults.push(
      'The live profile refuses an SMTP_URL that switches encryption or the check of the certificate off.',
    );
  return faults;
}

/**
 * Whether a database's URL names another machine, without `sslmode=verify-full`. pg takes the
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

/** Judged by the address only, without resolving its name. */
function isPublicHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && !isLoopbackHost(hostname) && !isPrivateAddress(hostname);
}

const stripeSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;

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

const twilioSettings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];

/** The embedded database can be used by one process only. */
function processFaults(given: Given, lacks: Lacks): string[] {
  return lacks('DATABASE_URL') && (given.PROCESS === 'app' || given.PROCESS === 'worker')
    ? [`PROCESS=${given.PROCESS} needs DATABASE_URL.`]
    : [];
}
