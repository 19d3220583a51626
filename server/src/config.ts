import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { StartFault } from '#start-fault.ts';

/** The environment, read once at the start (design section 4). `.env.example` documents the same names. */
export const environment = z.object({
  PORT: z.coerce.number('PORT must be a number from 0 to 65535.').int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  CORPORATION_CODE: z.string().default('ANCHOR'),
  PROFILE: z
    .enum(['sandbox'], 'PROFILE must be sandbox; the live profile is not part of this version.')
    .default('sandbox'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
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
  /** Keys that make the debt key of D3; made once in the data folder in the sandbox profile. */
  secret: Buffer;
};

/** Reads the environment and the keys. Throws a StartFault that lists every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.keys(environment.shape).flatMap((name) => {
      const value = env[name] ?? fromFile(env[`${name}_FILE`]);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartFault(`The environment cannot be used. ${faults.join(' ')}`);
  }
  const dataDir = resolve(parsed.data.DATA_DIR);
  return {
    port: parsed.data.PORT,
    host: parsed.data.HOST,
    dataDir,
    databaseUrl: parsed.data.DATABASE_URL,
    corporationCode: parsed.data.CORPORATION_CODE,
    profile: parsed.data.PROFILE,
    logLevel: parsed.data.LOG_LEVEL,
    secret: sandboxSecret(dataDir),
  };
}

function fromFile(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new StartFault(`The file ${path}, which the environment names, cannot be read.`);
  }
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
