import { Refusal } from '#refusal.ts';

/** Bodies of uploads being read or worked on may take this much memory together, in bytes as they arrive. */
const ROOM_BYTES = 16 * 1024 * 1024;
/** So many may wait for room, and each so long: less than the idle time of a connection, which is not read meanwhile. */
const MOST_WAITING = 100;
const LONGEST_WAIT_MS = 10_000;

type Waiting = { bytes: number; enter: () => void; timer: NodeJS.Timeout };

/** Room for the bodies of uploads: many small photos at once, or a few of the largest. First come, first served. */
export class UploadRoom {
  #free = ROOM_BYTES;
  readonly #waiting: Waiting[] = [];

  /** Waits until a body of this size has room; answers how to give it back. Throws a Refusal with 503 when none comes. */
  async enter(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || bytes > this.#free) await this.#wait(bytes);
    else this.#free -= bytes;
    let isIn = true;
    return () => {
      if (isIn) this.#leave(bytes);
      isIn = false;
    };
  }

  #wait(bytes: number): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) throw noRoom();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#letIn();
        reject(noRoom());
      }, LONGEST_WAIT_MS);
      const waiting = { bytes, enter: resolve, timer };
      this.#waiting.push(waiting);
    });
  }

  #leave(bytes: number): void {
    this.#free += bytes;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      clearTimeout(next.timer);
      this.#free -= next.bytes;
      next.enter();
    }
  }
}

function noRoom(): Refusal {
  return new Refusal(503, 'Many photos are arriving right now. Please try again in a moment.');
}
