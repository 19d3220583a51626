import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the kernel's clock, in which `/proc` counts. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of processor time that the PostgreSQL in `dataDir` has used, all its processes together.
 * It is read from Linux's `/proc`; elsewhere it is not known: NaN.
 */
export async function postgresSeconds(dataDir: string): Promise<number> {
  if (process.platform !== 'linux') return NaN;
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const postmaster = Number.parseInt(pidFile);
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const ticks = await Promise.all(names.map((name) => ticksOf(Number(name), postmaster)));
  return ticks.reduce((sum, some) => sum + some, 0) / TICKS_PER_SECOND;
}

/** Of the postmaster, with its children that have ended, or of one of its children; else 0. */
async function ticksOf(pid: number, postmaster: number): Promise<number> {
  // A process that ends meanwhile is counted with its parent.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system, childrenUser, childrenSystem] = [1, 11, 12, 13, 14].map((place) =>
    Number(fields[place]),
  ) as [number, number, number, number, number];
  if (pid === postmaster) return user + system + childrenUser + childrenSystem;
  return parent === postmaster ? user + system : 0;
}
