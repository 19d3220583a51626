import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, type Config } from './config.ts';
import { isDatabaseGiven } from './data-folder.ts';
import { environment } from './environment.ts';
import { StartFault } from '#errors/start-fault.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The settings that a start reads from the environment. */
const configOf = (env: NodeJS.ProcessEnv = {}) => readConfig({ DATA_DIR: folder, ...env });

/** The sentence with which a start is refused. */
function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    configOf(env);
  } catch (error) {
    if (error instanceof StartFault) return error.message;
    throw error;
  }
  throw new Error('the environment was not refused');
}

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const server = text.split(/^## /m).find((section) => section.startsWith('Server\n')) ?? '';
  const given = Object.fromEntries(
    [...server.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );

  test('names the settings of the server, all of them and no other', () => {
    expect(Object.keys(given).toSorted()).toEqual(Object.keys(environment.shape).toSorted());
  });

  test('shows their defaults', () => {
    const shown = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    expect(environment.parse(shown)).toEqual(environment.parse({}));
  });

  test('has a comment above each setting', () => {
    const lines = text.split('\n');
    const bare = lines.filter(
      (line, index) => /^\w+=/.test(line) && !lines[index - 1]?.startsWith('# '),
    );
    expect(bare).toEqual([]);
  });
});

describe('the environment', () => {
  test('is complete when it is empty', () => {
    expect(configOf()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      process: 'all',
      dataDir: folder,
      databaseUrl: undefined,
      corporationCode: 'ANCHOR',
      profile: 'sandbox',
      drainSeconds: 0,
      logLevel: 'warn',
    });
  });

  // asvs 6.3.2, 13.4.2
  test.each([
    ['NODE_ENV is production', { NODE_ENV: 'production' }],
    ['NODE_ENV is production', { NODE_ENV: ' Production' }],
    ['OFFICE_URL is https://office.example.com', { OFFICE_URL: 'https://office.example.com' }],
    ['TRUSTED_HOPS is 1', { TRUSTED_HOPS: '1' }],
    ['HOST is 0.0.0.0', { HOST: '0.0.0.0' }],
    ['HOST is ::', { HOST: '::' }],
    ['HOST is 192.168.1.5', { HOST: '192.168.1.5' }],
    ['HOST is portal.example.com', { HOST: 'portal.example.com', PROFILE: 'sandbox' }],
    ['PUBLIC_URL is https://portal.example.com', { PUBLIC_URL: 'https://portal.example.com' }],
  ])('of the sandbox is refused where %s, unless ALLOW_SANDBOX is 1', (where, env) => {
    expect(refusalOf(env)).toBe(
      `The environment cannot be used. The profile is sandbox, with demo sign-ins and an open mailbox, and ${where}: set PROFILE=live, or ALLOW_SANDBOX=1 to serve the sandbox here.`,
    );
    expect(refusalOf({ ...env, ALLOW_SANDBOX: 'yes' })).toContain('ALLOW_SANDBOX must be 1');
    const allowed = configOf({ ...env, ALLOW_SANDBOX: '1' });
    expect(allowed.profile).toBe('sandbox');
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])(
    'of the sandbox is taken on %s',
    (HOST) => expect(configOf({ HOST }).profile).toBe('sandbox'),
  );

  test('counts an empty value as unset', () => {
    expect(configOf({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    });
  });

  // asvs 13.3.1
  test('takes a setting from the file that NAME_FILE names, without the newline at its end', () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'postgresql://app@db/gatehouse\n');
    expect(configOf({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgresql://app@db/gatehouse');
  });

  test('is refused in a sentence where such a file cannot be read', () => {
    const file = join(folder, 'missing');
    expect(refusalOf({ DATABASE_URL_FILE: file })).toContain(
      `The file ${file}, which DATABASE_URL_FILE names, cannot be read.`,
    );
  });

  test('is refused in a sentence where such a file is empty', () => {
    const file = join(folder, 'empty');
    writeFileSync(file, '\n');
    expect(refusalOf({ SECRET_KEY_FILE: file })).toBe(
      `The environment cannot be used. The file ${file}, which SECRET_KEY_FILE names, is empty.`,
    );
  });

  test('lacks nothing whose file cannot be read: that is told already', () => {
    const file = join(folder, 'missing');
    const sentence = refusalOf({
      WEBHOOK_URL: 'https://staff.example.com/hook',
      WEBHOOK_SECRET_FILE: file,
      FILES: 's3://bucket',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY_FILE: file,
      GATE: 'https://gate.example.com/hook',
      GATE_SECRET_FILE: file,
      ESIGN: 'https://sign.example.com/hook',
      ESIGN_SECRET_FILE: file,
    });
    expect(sentence).not.toContain('needs');
    expect(sentence.match(/cannot be read/g)).toHaveLength(4);
  });

  test('is refused with every fault at once', () => {
    const file = join(folder, 'missing');
    const sentence = refusalOf({
      PORT: 'http',
      PROFILE: 'real',
      LOG_LEVEL: 'loud',
      SECRET_KEY: 'abc',
      DATABASE_URL_FILE: file,
    });
    for (const name of ['PORT', 'PROFILE', 'LOG_LEVEL', 'SECRET_KEY'])
      expect(sentence).toContain(`${name} must be`);
    expect(sentence).toContain(`The file ${file}, which DATABASE_URL_FILE names, cannot be read.`);
  });

  test.each(['https://key@errors.example.com/1', 'http://key@127.0.0.1:9000/sentry/42'])(
    'takes %s as the place where the portal reports errors',
    (SENTRY_DSN) => expect(configOf({ SENTRY_DSN }).sentryDsn).toBe(SENTRY_DSN),
  );

  test.each([
    'sentry',
    'https://errors.example.com/1',
    'https://key:secret@errors.example.com/1',
    'https://key@host/"',
  ])('a DSN of %s is refused', (SENTRY_DSN) =>
    expect(refusalOf({ SENTRY_DSN })).toContain('SENTRY_DSN must be a Sentry DSN without a secret'),
  );

  const WEBHOOK_SECRET = 'x'.repeat(32);

  test.each([
    'https://staff.example.com/hook?a=1',
    'http://127.0.0.1:4000/',
    'http://localhost/hook',
  ])('takes %s as the operator’s webhook', (WEBHOOK_URL) => {
    const { webhook } = configOf({ WEBHOOK_URL, WEBHOOK_SECRET });
    expect(webhook).toEqual({ url: WEBHOOK_URL, secret: WEBHOOK_SECRET, refusesPrivate: false });
  });

  test.each([
    ...[
      'http://staff.example.com/',
      'https://a:b@staff.example.com/',
      'https://staff.example.com/#x',
      'ftp://a/',
      'staff',
    ],
    'http://10.0.0.1/',
  ])('a webhook at %s is refused', (WEBHOOK_URL) =>
    expect(refusalOf({ WEBHOOK_URL, WEBHOOK_SECRET })).toContain(
      'WEBHOOK_URL must be an https address',
    ),
  );

  test('a webhook without its secret is refused, and a secret that is short', () => {
    const WEBHOOK_URL = 'https://staff.example.com/';
    expect(refusalOf({ WEBHOOK_URL })).toContain('WEBHOOK_URL needs WEBHOOK_SECRET');
    expect(refusalOf({ WEBHOOK_URL, WEBHOOK_SECRET: 'short' })).toContain(
      'WEBHOOK_SECRET must have at least 32',
    );
  });

  test.each([
    'http://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://2130706433/',
  ])('the live profile refuses a webhook at %s', (WEBHOOK_URL) =>
    expect(refusalOf({ PROFILE: 'live', WEBHOOK_URL, WEBHOOK_SECRET })).toContain(
      'The live profile needs a WEBHOOK_URL that begins with https:// and is of no network behind the server.',
    ),
  );

  test.each(['-1', '65536', '80.5', 'http'])('a port of %s is refused', (PORT) => {
    expect(refusalOf({ PORT })).toContain('PORT must be a number');
    expect(refusalOf({ METRICS_PORT: PORT })).toContain('METRICS_PORT must be a number');
  });

  // asvs 13.4.5
  test('keeps metrics to itself unless a port is set for them', () => {
    expect(configOf().metrics).toBeUndefined();
    expect(configOf({ METRICS_PORT: '9464' }).metrics).toEqual({
      port: 9464,
      host: '127.0.0.1',
    });
  });

  test('lets no other origin call the API unless it is named', () => {
    expect(configOf().corsOrigins).toEqual([]);
    const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173/';
    expect(configOf({ CORS_ORIGINS }).corsOrigins).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ]);
  });

  test.each(['*', 'app.example.com', 'https://app.example.com/path', 'null'])(
    'an origin of %s is refused',
    (origin) =>
      expect(refusalOf({ CORS_ORIGINS: origin })).toContain(
        'CORS_ORIGINS must be addresses without a path',
      ),
  );

  test('load is shed, or not, and nothing between', () => {
    expect(configOf().shedLoad).toBe(true);
    expect(configOf({ SHED_LOAD: 'off' }).shedLoad).toBe(false);
    expect(refusalOf({ SHED_LOAD: 'maybe' })).toContain('SHED_LOAD must be on or off.');
  });

  test.each(['-1', '601', 'soon'])('a drain of %s seconds is refused', (DRAIN_SECONDS) =>
    expect(refusalOf({ DRAIN_SECONDS })).toContain('DRAIN_SECONDS must be a number from 0 to 600.'),
  );
});

const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

describe('who moves the money', () => {
  test('is the sandbox when nothing is said', () => {
    expect(configOf().payments).toEqual({ kind: 'sandbox' });
  });

  test('may be the simulator of the kill tests', () => {
    expect(configOf({ PAYMENTS: 'http://127.0.0.1:4000/' }).payments).toEqual({
      kind: 'simulator',
      url: 'http://127.0.0.1:4000',
    });
  });

  test('may be Stripe in its test mode, or a stand-in for it', () => {
    const STRIPE_API_URL = 'http://127.0.0.1:4000';
    const given = { DATA_DIR: folder, PAYMENTS: 'stripe', ...stripeKeys };
    const keys = {
      kind: 'stripe',
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecret: 'whsec_1',
    };
    expect(readConfig(given).payments).toEqual({ ...keys, apiUrl: undefined });
    expect(readConfig({ ...given, STRIPE_API_URL }).payments).toEqual({
      ...keys,
      apiUrl: STRIPE_API_URL,
    });
  });

  test.each([
    'cash',
    'https://example.com',
    'http://10.0.0.1:80',
    'http://127.0.0.1.example.com',
    'http://127.0.0.1/x',
  ])('may not be %s', (PAYMENTS) =>
    expect(refusalOf({ PAYMENTS })).toContain('PAYMENTS must be sandbox, stripe, or'),
  );

  test.each(Object.keys(stripeKeys))('is not Stripe without %s', (name) => {
    expect(refusalOf({ PAYMENTS: 'stripe', ...stripeKeys, [name]: '' })).toContain(
      `PAYMENTS=stripe needs ${name}.`,
    );
  });

  test.each([
    ['STRIPE_SECRET_KEY', 'pk_test_1'],
    ['STRIPE_SECRET_KEY', 'sk_test_'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1'],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['STRIPE_API_URL', 'https://stripe.example.com'],
  ])('is not Stripe with a %s of %s, and the value is not told', (name, value) => {
    const sentence = refusalOf({ PAYMENTS: 'stripe', ...stripeKeys, [name]: value });
    expect(sentence).toContain(`${name} must be`);
    expect(sentence).not.toContain(`${value}.`);
  });

  test('is not Stripe’s live mode in the sandbox', () => {
    const sentence = refusalOf({
      PAYMENTS: 'stripe',
      ...stripeKeys,
      STRIPE_SECRET_KEY: 'rk_live_1',
    });
    expect(sentence).toContain('STRIPE_SECRET_KEY must be a test key in the sandbox profile.');
  });
});

describe('the live profile', () => {
  const live = {
    PROFILE: 'live',
    DATABASE_URL: 'postgresql://app@db/gatehouse?sslmode=verify-full',
    SECRET_KEY: '3b1f0c5e7a9d2468ace013579bdf02468ace13579bdf1234567890abcdef5ca1',
    DATA_KEYS: 'f0e1d2c3b4a5968778695a4b3c2d1e0f1032547698badcfe0123456789abcdef',
    TRUSTED_HOPS: '1',
    SMTP_URL: 'smtps://user:word@mail.example.com:465',
    MAIL_FROM: 'Desk <desk@example.com>',
    PUBLIC_URL: 'https://portal.example.com',
    OPERATOR_EMAIL: 'owner@example.com',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };

  // asvs 12.3.1
  test.each([
    'postgresql://app@db/gatehouse',
    'postgresql://app@db/gatehouse?sslmode=require',
    'postgresql://app@10.0.0.7/gatehouse?sslmode=disable',
    'postgresql:///gatehouse?host=db.example.com',
    'postgresql://app@localhost/gatehouse?host=db.example.com',
    'postgresql://app@db/gatehouse?sslmode=verify-full&sslmode=disable',
    'postgresql://app@db/gatehouse?sslmode=verify-full&ssl=false',
    'postgresql://app@db/gatehouse?sslmode=verify-full&uselibpqcompat=true',
    'postgresql:///gatehouse',
  ])('refuses %s, the way to which is not encrypted and verified', (url) => {
    expect(refusalOf({ ...live, DATABASE_URL: url })).toBe(
      'The environment cannot be used. The live profile needs sslmode=verify-full in DATABASE_URL, unless it names this machine as its host.',
    );
  });

  test.each([
    'postgresql://app@localhost/gatehouse',
    'postgresql://app@127.0.0.1:5433/gatehouse',
    'postgresql://app@[::1]/gatehouse',
    'postgresql:///gatehouse?host=/var/run/postgresql',
    'postgresql://app@%2Fvar%2Frun%2Fpostgresql/gatehouse',
  ])('takes %s, which is on this machine', (url) => {
    const config = configOf({ ...live, DATABASE_URL: url });
    expect(config.databaseUrl).toBe(url);
  });

  // asvs 12.3.1
  test('connects to a mail server elsewhere over TLS only, also where STARTTLS is stripped', () => {
    const urlOf = (SMTP_URL: string, env: object = live) => configOf({ ...env, SMTP_URL }).smtpUrl;
    expect(urlOf('smtp://user:word@mail.example.com:587')).toBe(
      'smtp://user:word@mail.example.com:587?requireTLS=true',
    );
    expect(urlOf('smtps://user:word@mail.example.com:465')).toBe(
      'smtps://user:word@mail.example.com:465',
    );
    expect(urlOf('smtp://127.0.0.1:25')).toBe('smtp://127.0.0.1:25');
    expect(urlOf('smtp://mail.example.com', {})).toBe('smtp://mail.example.com');
  });

  // asvs 12.3.2
  test.each([
    'smtp://mail.example.com?ignoreTLS=true',
    'smtp://mail.example.com?requireTLS=false',
    'smtps://mail.example.com?secure=false',
    'smtps://mail.example.com?tls.rejectUnauthorized=false',
    'smtps://mail.example.com?tls.rejectUnauthorized=0',
  ])('refuses %s', (SMTP_URL) => {
    expect(refusalOf({ ...live, SMTP_URL })).toBe(
      'The environment cannot be used. The live profile refuses an SMTP_URL that switches encryption or the check of the certificate off.',
    );
  });

  test('starts with everything that it needs', () => {
    expect(configOf(live)).toMatchObject({
      profile: 'live',
      drainSeconds: 12,
      logLevel: 'info',
      payments: { kind: 'stripe', secretKey: 'sk_live_1' },
      operatorEmail: 'owner@example.com',
      failpoint: undefined,
      clockShiftMs: 0,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  // asvs 13.2.1, 13.2.3
  test('names everything that it lacks at once', () => {
    const sentence = refusalOf({ PROFILE: 'live' });
    for (const name of Object.keys(live).filter(
      (name) => !/^(PROFILE|PAYMENTS|STRIPE_)/.test(name),
    ))
      expect(sentence).toContain(`The live profile needs ${name}.`);
    expect(sentence).toContain('The live profile needs PAYMENTS=stripe');
  });

  test('tells each setting once, whose file cannot be read, or whose key is none', () => {
    const missing = join(folder, 'missing');
    const {
      SECRET_KEY: _,
      STRIPE_SECRET_KEY: _stripe,
      DATABASE_URL: _url,
      PAYMENTS: _payments,
      ...rest
    } = live;
    const names = ['SECRET_KEY', 'STRIPE_SECRET_KEY', 'DATABASE_URL', 'PAYMENTS'];
    const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, missing]));
    expect(refusalOf({ ...rest, ...files })).toBe(
      `The environment cannot be used. ${[
        'DATABASE_URL',
        'SECRET_KEY',
        'PAYMENTS',
        'STRIPE_SECRET_KEY',
      ]
        .map((name) => `The file ${missing}, which ${name}_FILE names, cannot be read.`)
        .join(' ')}`,
    );
    expect(refusalOf({ ...live, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' })).toBe(
      'The environment cannot be used. STRIPE_PUBLISHABLE_KEY must be a publishable key of Stripe: pk_live_… in the live profile, pk_test_… in the sandbox profile.',
    );
  });

  test('names what it lacks as well as what is malformed', () => {
    const sentence = refusalOf({ PROFILE: 'live', PORT: 'http' });
    expect(sentence).toContain('The live profile needs SMTP_URL.');
    expect(sentence).toContain('PORT must be a number');
  });

  // asvs 12.2.1, 13.4.2, 15.2.3
  test.each<[Record<string, string>, string]>([
    [{ PUBLIC_URL: 'http://portal.example.com' }, 'needs a PUBLIC_URL that begins with https://'],
    [{ PAYMENTS: 'sandbox' }, 'needs PAYMENTS=stripe'],
    [{ PAYMENTS: 'http://127.0.0.1:4000' }, 'needs PAYMENTS=stripe'],
    [{ STRIPE_API_URL: 'http://127.0.0.1:4000' }, 'refuses STRIPE_API_URL'],
    [{ FAILPOINT: 'after-tx1' }, 'refuses FAILPOINT'],
    [{ CLOCK_SHIFT_MS: '0' }, 'refuses CLOCK_SHIFT_MS'],
    [{ SECRET_KEY: 'ab'.repeat(32) }, 'SECRET_KEY is no random key'],
    [{ DATA_KEYS: `${live.DATA_KEYS},${'00'.repeat(32)}` }, 'DATA_KEYS is no random key'],
    [{ DATA_KEYS: live.SECRET_KEY }, 'SECRET_KEY and DATA_KEYS are the same key'],
    [{ MAIL_FROM: 'Desk <desk@localhost>' }, 'needs a MAIL_FROM that tenants can answer to'],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_SECRET_KEY must be a live key in the live profile.',
    ],
    [
      { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      'STRIPE_PUBLISHABLE_KEY must be a live key in the live profile.',
    ],
  ])('does not start with %j', (change, sentence) => {
    expect(refusalOf({ ...live, ...change })).toContain(sentence);
  });
});

test('a caller that finds no database reads the settings without making keys', () => {
  expect(isDatabaseGiven({ DATA_DIR: folder })).toBe(false);
  const { secret, dataKeys } = readConfig({ DATA_DIR: folder }, { makesKeys: false });
  expect([secret, ...dataKeys].map(({ length }) => length)).toEqual([32, 32]);
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(join(folder, 'postgres'));
  expect(isDatabaseGiven({ DATA_DIR: folder })).toBe(true);
  expect(
    isDatabaseGiven({ DATA_DIR: join(folder, 'none'), DATABASE_URL: 'postgresql://db/x' }),
  ).toBe(true);
});

test('a failpoint is one of those that there are', () => {
  expect(configOf({ FAILPOINT: 'after-tx1' }).failpoint).toBe('after-tx1');
  expect(refusalOf({ FAILPOINT: 'later' })).toContain(
    'FAILPOINT must be one of after-tx1, before-send',
  );
});

test('a shift of the clock is a whole number of milliseconds, ahead or behind', () => {
  expect(configOf().clockShiftMs).toBe(0);
  expect(configOf({ CLOCK_SHIFT_MS: '-86400000' }).clockShiftMs).toBe(-86_400_000);
  for (const CLOCK_SHIFT_MS of ['1.5', 'an hour'])
    expect(refusalOf({ CLOCK_SHIFT_MS })).toContain(
      'CLOCK_SHIFT_MS must be a whole number of milliseconds.',
    );
});

test.each(['owner', 'owner@', 'a@example.com, b@example.com', 'Owner <owner@example.com>'])(
  'alarms cannot go to %s',
  (OPERATOR_EMAIL) =>
    expect(refusalOf({ OPERATOR_EMAIL })).toContain('OPERATOR_EMAIL must be one mail address.'),
);

describe('where photos lie', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const bucket = { kind: 's3', bucket: 'photos', accessKeyId: 'id', secretAccessKey: 'secret' };

  test('is the data folder when nothing is said', () => {
    expect(configOf().files).toEqual({ kind: 'disk' });
    expect(configOf({ FILES: 'disk' }).files).toEqual({ kind: 'disk' });
  });

  test.each([
    ['s3://photos', { prefix: '', region: 'us-east-1', endpoint: undefined }],
    ['s3://photos/', { prefix: '', region: 'us-east-1', endpoint: undefined }],
    [
      's3://photos/a/b/?region=eu-west-1',
      { prefix: 'a/b', region: 'eu-west-1', endpoint: undefined },
    ],
    [
      's3://photos/a?region=x&endpoint=http://127.0.0.1:9000',
      { prefix: 'a', region: 'x', endpoint: 'http://127.0.0.1:9000' },
    ],
  ])('may be a bucket: %s', (FILES, expected) => {
    expect(configOf({ FILES, ...keys }).files).toEqual({
      ...bucket,
      ...expected,
    });
  });

  test.each([
    'photos',
    's3://',
    's3://A',
    's3://photos:80',
    's3://user@photos',
    's3://photos/a%20b',
    's3://photos?secret=x',
    's3://photos?endpoint=ftp://host',
    's3://photos?endpoint=host',
    'https://photos.s3.amazonaws.com',
  ])('may not be %s', (FILES) => {
    expect(refusalOf({ FILES, ...keys })).toContain('FILES must be disk, or a bucket');
  });

  test('may not be a bucket whose keys are missing', () => {
    expect(refusalOf({ FILES: 's3://photos', AWS_ACCESS_KEY_ID: 'id' })).toContain(
      'FILES names a bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  });
});

describe('what is outside and takes signed messages', () => {
  const secrets = { GATE_SECRET: 'g'.repeat(32), ESIGN_SECRET: 'e'.repeat(32) };

  test('is none where nothing is said', () => {
    expect(configOf()).toMatchObject({
      gate: { kind: 'none' },
      esign: { kind: 'local' },
    });
  });

  test.each([
    ['sandbox', { kind: 'sandbox' }],
    ['file:/var/lib/gate', { kind: 'file', folder: '/var/lib/gate' }],
    [
      'https://gate.example.com/hook',
      { kind: 'webhook', url: 'https://gate.example.com/hook', secret: 'g'.repeat(32) },
    ],
    [
      'http://127.0.0.1:4000/hook',
      { kind: 'webhook', url: 'http://127.0.0.1:4000/hook', secret: 'g'.repeat(32) },
    ],
  ])('may be a gate: %s', (GATE, gate) => {
    expect(configOf({ GATE, ...secrets }).gate).toEqual(gate);
  });

  test.each([
    'yes',
    'file:',
    'http://gate.example.com',
    'https://user:word@gate.example.com',
    'ftp://gate.example.com',
  ])('may not be %s', (place) => {
    const sentence = refusalOf({ GATE: place, ESIGN: place, ...secrets });
    expect(sentence).toContain('GATE must be none, sandbox, file:');
    expect(sentence).toContain('ESIGN must be local, or the address of a signing service');
  });

  test('needs its secret', () => {
    const sentence = refusalOf({
      GATE: 'https://gate.example.com',
      ESIGN: 'https://sign.example.com',
    });
    expect(sentence).toContain('GATE names an address, which needs GATE_SECRET.');
    expect(sentence).toContain('ESIGN names an address, which needs ESIGN_SECRET.');
    expect(refusalOf({ GATE_SECRET: 'short' })).toContain(
      'GATE_SECRET must have 32 characters or more.',
    );
  });

  test.each(['sandbox', 'http://127.0.0.1:4000'])(
    'is no stand-in in the live profile: %s',
    (GATE) => {
      const sentence = refusalOf({
        PROFILE: 'live',
        GATE,
        ESIGN: 'http://localhost:4001',
        ...secrets,
      });
      expect(sentence).toContain('The live profile refuses a GATE that is no gate');
      expect(sentence).toContain('The live profile refuses an ESIGN on this machine');
    },
  );
});

describe('the provider of text messages', () => {
  const twilio = {
    TEXTS: 'twilio',
    TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'b'.repeat(32),
    TWILIO_FROM: '+18005551212',
  };

  test('is the sandbox’s own where nothing is said, and may be none', () => {
    expect(configOf().texts).toEqual({ kind: 'sandbox' });
    expect(configOf({ TEXTS: 'none' }).texts).toEqual({ kind: 'none' });
  });

  test.each(['+18005551212', '72345', `MG${'c'.repeat(32)}`])(
    'is Twilio with the sender %s',
    (TWILIO_FROM) => {
      expect(configOf({ ...twilio, TWILIO_FROM }).texts).toEqual({
        kind: 'twilio',
        accountSid: twilio.TWILIO_ACCOUNT_SID,
        authToken: twilio.TWILIO_AUTH_TOKEN,
        from: TWILIO_FROM,
        apiUrl: undefined,
      });
    },
  );

  test('needs its account, token and sender, each of its form', () => {
    const sentence = refusalOf({ TEXTS: 'twilio' });
    for (const name of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'])
      expect(sentence).toContain(`TEXTS=twilio needs ${name}.`);
    expect(refusalOf({ ...twilio, TWILIO_FROM: '8005551212' })).toContain('TWILIO_FROM must be');
    expect(refusalOf({ TEXTS: 'pigeon' })).toContain('TEXTS must be none, sandbox or twilio.');
  });

  test('is no stand-in in the live profile', () => {
    const words = 'The live profile refuses TEXTS=sandbox and TWILIO_API_URL';
    expect(refusalOf({ PROFILE: 'live', TEXTS: 'sandbox' })).toContain(words);
    const TWILIO_API_URL = 'http://127.0.0.1:4000';
    expect(refusalOf({ PROFILE: 'live', ...twilio, TWILIO_API_URL })).toContain(words);
  });
});

describe('the mail settings', () => {
  test('are a mailbox, the product’s own name and this machine where nothing is said', () => {
    expect(configOf({ PORT: '4000' })).toMatchObject({
      smtpUrl: undefined,
      mailFrom: { name: 'Gatehouse', address: 'no-reply@localhost' },
      publicUrl: 'http://localhost:4000',
    });
  });

  test('take a mail server, a sender and the portal’s address', () => {
    const given = {
      SMTP_URL: 'smtps://user:pass%40word@mail.example.com:465',
      MAIL_FROM: 'Anchor & Axle RV & Boat Storage <desk@anchor-axle.example>',
      PUBLIC_URL: 'https://Portal.example.com/',
    };
    expect(configOf({ ALLOW_SANDBOX: '1', ...given })).toMatchObject({
      smtpUrl: given.SMTP_URL,
      mailFrom: { name: 'Anchor & Axle RV & Boat Storage', address: 'desk@anchor-axle.example' },
      publicUrl: 'https://portal.example.com',
    });
  });

  test.each(['mail.example.com', 'http://mail.example.com', 'smtp://', 'smtp:mail', 'x'])(
    'a mail server of %s is refused',
    (SMTP_URL) => {
      expect(refusalOf({ SMTP_URL })).toContain('SMTP_URL must be the address of a mail server');
    },
  );

  test.each([
    'desk@example.com',
    'Desk <desk>',
    'Desk <a@example.com, b@example.com>',
    'Desk <a@example.com>, B <b@example.com>',
    '"Desk" <a@example.com>',
    'Desk\nBcc: x <a@example.com>',
  ])('a sender of %s is refused', (MAIL_FROM) => {
    expect(refusalOf({ MAIL_FROM })).toContain('MAIL_FROM must be one sender');
  });

  test.each([
    'portal.example.com',
    'https://portal.example.com/app',
    'ftp://portal.example.com',
    'https://a@b.example',
  ])('a portal’s address of %s is refused', (PUBLIC_URL) => {
    expect(refusalOf({ PUBLIC_URL })).toContain(
      'PUBLIC_URL must be the portal’s address without a path',
    );
  });
});

describe('the key', () => {
  test('is the one that SECRET_KEY names, and then none is made', () => {
    const key = 'ab'.repeat(32);
    expect(configOf({ SECRET_KEY: key, DATA_KEYS: key }).secret.toString('hex')).toBe(key);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the data keys', () => {
  const [a, b] = ['ab'.repeat(32), 'CD'.repeat(32)];
  const read = (DATA_KEYS: string) =>
    configOf({ DATA_KEYS }).dataKeys.map((key) => key.toString('hex'));

  test('are those that DATA_KEYS names, in its order', () => {
    expect(read(a)).toEqual([a]);
    expect(read(`${a},${b}`)).toEqual([a, b.toLowerCase()]);
    expect(read(`${b} ,\n${a}`)).toEqual([b.toLowerCase(), a]);
  });

  test('may be in a file', () => {
    const file = join(folder, 'keys');
    writeFileSync(file, `${a},\n${b}\n`);
    expect(configOf({ DATA_KEYS_FILE: file }).dataKeys).toHaveLength(2);
  });

  // asvs 11.2.3
  test.each(['ab', a.slice(1), `${a}${b}`, `${a},`, `,${a}`, `${a},${b.slice(2)}`, `${a};${b}`])(
    '%s is refused in a sentence',
    (DATA_KEYS) => {
      expect(refusalOf({ DATA_KEYS })).toContain('DATA_KEYS must be 64 hexadecimal digits');
    },
  );
});

describe.each([
  ['secret.key', ({ secret }: Config) => secret],
  ['data.key', ({ dataKeys }: Config) => dataKeys[0]!],
])('the key file %s', (name, keyIn) => {
  const keyOf = (dataDir: string) => join(dataDir, name);

  // asvs 13.3.2
  test('is made once, in a folder that is made with it, and is its owner’s only', () => {
    const dataDir = join(folder, 'new', 'data');
    const key = keyIn(readConfig({ DATA_DIR: dataDir }));
    expect(key).toHaveLength(32);
    expect(readFileSync(keyOf(dataDir))).toEqual(key);
    expect(statSync(keyOf(dataDir)).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(keyIn(readConfig({ DATA_DIR: dataDir }))).toEqual(key);
  });

  test('is another one in another folder', () => {
    const [a, b] = ['a', 'b'].map((place) => keyIn(readConfig({ DATA_DIR: join(folder, place) })));
    expect(a).not.toEqual(b);
  });

  test('leaves nothing else behind', () => {
    configOf();
    expect(readdirSync(folder)).toEqual(['data.key', 'secret.key']);
  });

  test('is the same for several processes that make it at once', async () => {
    const script = `
      const { readConfig } = await import(${JSON.stringify(new URL('config.ts', import.meta.url).href)});
      const { secret, dataKeys } = readConfig({ DATA_DIR: ${JSON.stringify(folder)} });
      console.log(JSON.stringify({ 'secret.key': secret, 'data.key': dataKeys[0] }));`;
    const runs = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['-e', script]),
    );
    for (const { stdout } of await Promise.all(runs)) {
      const keys = JSON.parse(stdout) as Record<string, { data: number[] }>;
      expect(Buffer.from(keys[name]!.data)).toEqual(readFileSync(keyOf(folder)));
    }
    expect(readdirSync(folder)).toEqual(['data.key', 'secret.key']);
  });

  test('that is there already is kept', () => {
    writeFileSync(keyOf(folder), Buffer.alloc(32, 7));
    expect(keyIn(configOf())).toEqual(Buffer.alloc(32, 7));
  });

  test.each([0, 31, 33])('of %i bytes is refused in a sentence and left as it is', (length) => {
    writeFileSync(keyOf(folder), Buffer.alloc(length));
    expect(refusalOf({})).toBe(`The key file ${keyOf(folder)} is damaged; it must hold 32 bytes.`);
    expect(statSync(keyOf(folder)).size).toBe(length);
  });
});

describe('a data folder that cannot be used is refused in a sentence', () => {
  function expectRefused(dataDir: string) {
    const sentence = refusalOf({ DATA_DIR: dataDir });
    expect(sentence.replace(dataDir, '…')).toMatch(
      /^The data folder … cannot be written \(E[A-Z]+\); set DATA_DIR\.$/,
    );
  }

  test('where it is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expectRefused(join(folder, 'file'));
  });

  test('where its parent is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expectRefused(join(folder, 'file', 'data'));
  });

  test('where its key cannot be read', () => {
    mkdirSync(join(folder, 'secret.key'));
    expectRefused(folder);
  });
});
