import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder, and what is to be stopped in the end, the last first. */
export type ScratchFolder = { folder: string; closers: (() => Promise<unknown>)[] };

/** A new folder whose name begins so, or the one at `at`, which is kept. */
export type ScratchFolderOptions = { name: string; at?: string | undefined; isKept?: boolean };

/**
 * Runs work in a temporary folder, then closes what it has opened and removes the folder unless it
 * is to be kept, also after an interrupt.
 */
export async function inScratchFolder<T>(
  { name, at, isKept }: ScratchFolderOptions,
  work: (scratch: ScratchFolder) => Promise<T>,
): Promise<T> {
  const closers: ScratchFolder['closers'] = [];
  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  const closeAll = () => (closing ??= close());
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
    process.once(signal, () => {
      // What is under way loses its database now, and that is no fault.
      process.on('uncaughtException', () => {});
      void closeAll().finally(() => process.exit(1));
    });
  try {
    if (at !== undefined) await mkdir(at, { recursive: true });
    const folder = at ?? (await mkdtemp(join(tmpdir(), name)));
    // At the exit, so that an interrupt in the middle of a query leaves nothing behind either.
    if (!isKept && at === undefined)
      process.on('exit', () =>
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
      );
    return await work({ folder, closers });
  } finally {
    await closeAll();
    process.removeAllListeners('disconnect');
    process.disconnect?.();
  }
}
