import { readFile, writeFile } from 'node:fs/promises';

/** Whether the kernel says how much memory a process has. */
export const canMeasure = process.platform === 'linux';

/** What a process has in memory now, in MiB. From now on `peakMib` tells the most it had since. */
export async function restartPeak(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return read(pid, 'VmRSS');
}

/** The most that a process had in memory since `restartPeak`, in MiB, however short. */
export function peakMib(pid: number): Promise<number> {
  return read(pid, 'VmHWM');
}

async function read(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
