import { readFile, writeFile } from 'node:fs/promises';

/** Whether the kernel reports the memory of a process. */
export const canMeasure = process.platform === 'linux';

/** Current memory of a process in MiB. `peakMib` then returns the maximum since this call. */
export async function restartPeak(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return read(pid, 'VmRSS');
}

/** The peak memory of a process since `restartPeak`, in MiB. */
export function peakMib(pid: number): Promise<number> {
  return read(pid, 'VmHWM');
}

async function read(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
