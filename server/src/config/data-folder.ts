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
import { StartFault } from '#errors/start-fault.ts';
import { environment } from './environment.ts';
import type { Given } from './environment-faults.ts';

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

/** A key of the data folder, created at the first start. */
export function sandboxKey(dataDir: string, name: string, makes: boolean): Buffer {
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
