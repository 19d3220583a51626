import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFault } from '#errors/start-fault.ts';
import { assertOurs, exists, isCode } from './embedded-binaries.ts';

/** The port in the name of the socket. */
export const portInName = 5432;
const longestPath = 100;

/** The owner of what is there; undefined where nothing is. */
export async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  return (await exists(folder)) ? await lstat(folder) : undefined;
}

/** Makes a user the owner of a folder and all that is in it. */
export async function giveTo(owner: { uid: number; gid: number }, folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true }))
    await lchown(join(folder, name), owner.uid, owner.gid);
  await chown(folder, owner.uid, owner.gid);
}

/**
 * The folder of the socket: the data folder, or a short link to it where its path is too long for a
 * socket's address.
 */
export async function socketDirFor(folder: string): Promise<string> {
  const socketName = `/.s.PGSQL.${portInName}`;
  if (Buffer.byteLength(folder + socketName) <= longestPath) return folder;
  const name = `gatehouse-${process.getuid?.()}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const short = join(
    Buffer.byteLength(join(tmpdir(), name, 'd') + socketName) <= longestPath ? tmpdir() : '/tmp',
    name,
  );
  await mkdir(short, { mode: 0o700 }).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error;
  });
  await assertOurs(short);
  await chmod(short, 0o700);
  const link = join(short, 'd');
  if ((await readlink(link).catch(() => undefined)) !== folder) {
    const aside = `${link}.${process.pid}`;
    await symlink(folder, aside);
    await rename(aside, link);
  }
  return link;
}

/** Makes the names in a folder survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/**
 * A zombie counts as ended: in a container without an init process an orphaned one is never reaped.
 */
export async function isRunning(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(status);
}

/** Whether a folder is the working directory of a process. */
export async function worksIn(pid: number, folder: string): Promise<boolean> {
  try {
    const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)]);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false;
  }
}

export function diskFull(dataDir: string): StartFault {
  return new StartFault(`The disk that holds ${dataDir} is full: free some space and start again.`);
}

/**
 * Removes the folder of a failed initdb. One that is still written to is removed by the next start.
 */
export async function removeUnlessWritten(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    if (!isCode(error, 'ENOTEMPTY')) throw error;
  });
}

/** What the operator can put right as a StartFault; a bug as it is. */
export function asFault(error: unknown, dataDir: string): Error {
  // 53100 is PostgreSQL's code for a full disk.
  if (isCode(error, 'ENOSPC', 'EDQUOT', '53100')) return diskFull(dataDir);
  if (isCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return new StartFault(
      `The data folder ${dataDir} cannot be written by this user: give it to them, or choose another with DATA_DIR.`,
    );
  }
  if (isCode(error, 'ENOTDIR', 'EEXIST'))
    return new StartFault(`DATA_DIR must name a folder, and ${dataDir} is not one.`);
  return error instanceof Error ? error : new Error(String(error));
}
