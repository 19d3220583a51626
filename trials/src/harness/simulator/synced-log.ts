import { open, readFile, type FileHandle } from 'node:fs/promises';

/**
 * A file of JSON lines that forgets nothing it has acknowledged: `append` resolves when its line is
 * on the disk. Lines that come while one sync is under way share the next.
 */
export class SyncedLog {
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<SyncedLog> {
    return new SyncedLog(await open(path, 'a'));
  }

  append(line: object): Promise<void> {
    this.#waiting.push(`${JSON.stringify(line)}\n`);
    return this.synced();
  }

  /** Resolves when everything that was appended so far is on the disk. */
  synced(): Promise<void> {
    if (this.#waiting.length === 0) return this.#last;
    this.#next ??= this.#last.then(async () => {
      const lines = this.#waiting.join('');
      this.#waiting = [];
      this.#last = this.#next!;
      this.#next = undefined;
      await this.#file.appendFile(lines);
      await this.#file.datasync();
    });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.synced();
    await this.#file.close();
  }
}

/**
 * The lines of such a file; one that was cut short by a crash was never acknowledged and is left
 * out.
 */
export async function readLog<Line>(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line); // written by `append`
}
