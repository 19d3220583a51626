import type { Database } from '@gatehouse/server/src/db/database.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { untilNoneLeft } from './until.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { findRows } from '@gatehouse/server/test/rows.ts';

const EVERY_MS = 200;

/** Waits until the outcome of every payment is known, for as long as further ones become known. */
export async function untilNothingIsOpen(owner: Database): Promise<void> {
  await untilNoneLeft(async () => (await readOpen(owner)).length, { everyMs: EVERY_MS });
}

function readOpen(owner: Database) {
  return findRows(owner, 'payment_intents', ['id', 'created_at'], {
    state: ['submitted', 'unknown'],
  });
}

/** Measures how long payments stay open after a kill. */
export class OpenWatch {
  readonly #owner: Database;
  readonly #kills: number[] = [];
  readonly #open = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  /** The longest time from the first kill after a payment's beginning to its end, in seconds. */
  worstSeconds = 0;
  /** Payments that were open when a server was killed. */
  orphans = 0;

  constructor(owner: Database) {
    this.#owner = owner;
    this.#ended = this.#watch();
  }

  killed(): void {
    this.#kills.push(testClock.now().getTime());
  }

  /** Watches until nothing is open any more. */
  async end(): Promise<void> {
    await untilNothingIsOpen(this.#owner);
    // The watch has read the same once more.
    await delay(EVERY_MS * 2);
    this.#stopping.abort();
    await this.#ended;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const rows = await readOpen(this.#owner);
      const now = testClock.now().getTime();
      const still = new Set(rows.map(({ id }) => id));
      for (const [id, since] of this.#open) {
        this.worstSeconds = Math.max(this.worstSeconds, (now - since) / 1000);
        if (!still.has(id)) this.#open.delete(id);
      }
      for (const { id, created_at } of rows) {
        const kill = this.#kills.find((at) => at >= created_at.getTime());
        if (kill === undefined || this.#open.has(id)) continue;
        this.#open.set(id, kill);
        this.orphans += 1;
      }
      await delay(EVERY_MS);
    }
  }
}
