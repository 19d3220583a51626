import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { StartFault } from '#start-fault.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** The environment, read once at the start (design section 4). `.env.example` documents the same names. */
export const environment = z.object({
  PORT: z.coerce
    .number('PORT must be a number from 0 to 65535.')
    .int('PORT must be a number from 0 to 65535.')
    .min(0, 'PORT must be a number from 0 to 65535.')
    .max(65535, 'PORT must be a number from 0 to 65535.')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  CORPORATION_CODE: z.string().default('ANCHOR'),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'SECRET_KEY must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them.')
    .optional(),
  PROFILE: z
    .enum(['sandbox'], 'PROFILE must be sandbox; the live profile is not part of this version.')
    .default('sandbox'),
  LOG_LEVEL: z.enum(logLevels, `LOG_LEVEL must be one of ${logLevels.join(', ')}.`).default('warn'),
});

/** Where the process serves, what it keeps and which keys it holds. */
export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  corporationCode: string;
  profile: 'sandbox';
  logLevel: string;
  /** The key of the debt keys and request hashes of D3: the same for every process on one database. */
  secret: Buffer;
};

/** Reads the environment and the keys. Throws a StartFault that lists every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { given, faults } = read(env);
  const parsed = environment.safeParse(given);
  if (!parsed.success || faults.length > 0) {
    faults.push(...(parsed.error?.issues.map(({ message }) => message) ?? []));
    throw new StartFault(`The environment cannot be used. ${faults.join(' ')}`);
  }
  const dataDir = resolve(parsed.data.DATA_DIR);
  const { SECRET_KEY } = parsed.data;
  return {
    port: parsed.data.PORT,
    host: parsed.data.HOST,
    dataDir,
    databaseUrl: parsed.data.DATABASE_URL,
    corporationCode: parsed.data.CORPORATION_CODE,
    profile: parsed.data.PROFILE,
    logLevel: parsed.data.LOG_LEVEL,
    secret: SECRET_KEY === undefined ? sandboxSecret(dataDir) : Buffer.from(SECRET_KEY, 'hex'),
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

/** The key of the data folder, made at the first start. */
function sandboxSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) makeSecret(path);
    const secret = readFileSync(path);
    if (secret.length === 32) return secret;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new StartFault(`The disk is full: nothing can be written to ${dataDir}.`);
    throw new StartFault(`The data folder ${dataDir} cannot be written (${code ?? 'unknown fault'}); set DATA_DIR.`);
  }
  throw new StartFault(`The key file ${path} is damaged; it must hold 32 bytes.`);
}

/** Writes the key aside and gives it its name once it is on the disk, so that a crash leaves a whole key or none. */
function makeSecret(path: string): void {
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
