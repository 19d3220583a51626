import { Refusal } from '#refusal.ts';

/** The most memory for the bodies of uploads in progress together, in bytes as sent. */
const MEMORY_BYTES = 16 * 1024 * 1024;
/**
 * The longest queue and wait: below the idle timeout of a connection, which is not read meanwhile.
 */
const MOST_WAITING = 100;
const LONGEST_WAIT_MS = 10_000;

type Waiting = { bytes: number; grant: () => void; timer: NodeJS.Timeout };

/**
 * The memory for the bodies of uploads: many small photos at once, or a few of the largest. First
 * in, first out.
 */
export class UploadMemory {
  #free = MEMORY_BYTES;
  readonly #waiting: Waiting[] = [];

  /**
   * Waits until a body of this size fits; returns a function that releases its memory. Throws a
   * Refusal with 503 when it does not fit in time.
   */
  async acquire(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || bytes > this.#free) await this.#wait(bytes);
    else this.#free -= bytes;
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(bytes);
      isHeld = false;
    };
  }

  #wait(bytes: number): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) throw noMemory();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#admit();
        reject(noMemory());
      }, LONGEST_WAIT_MS);
      const waiting = { bytes, grant: resolve, timer };
      this.#waiting.push(waiting);
    });
  }

  #release(bytes: number): void {
    this.#free += bytes;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      clearTimeout(next.timer);
      this.#free -= next.bytes;
      next.grant();
    }
  }
}

function noMemory(): Refusal {
  return new Refusal(503, 'Many photos are arriving right now. Please try again in a moment.');
}
