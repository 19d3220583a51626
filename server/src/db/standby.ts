import type { Freshness } from '@gatehouse/contract/endpoint';
import { sql } from 'kysely';
import { Refusal } from '#refusal.ts';
import type { Reach } from './connection.ts';
import { openReadPool, StandbyLags, type Database, type ReadPool } from './database.ts';

/** How old what a standby answers may be, and how often the primary is asked where its log stands. */
const OLDEST_MS = 1000;
const LOOK_MS = 250;
/** A standby that failed is left alone for so long. */
const REST_MS = 2000;

/**
 * A standby for reads, with the primary behind it: where it is gone, slow or behind, the primary answers. How far it is behind
 * is no matter of clocks: it is asked whether it has replayed the log up to where the primary's stood at a known moment.
 */
export class Standby {
  readonly #primary: Database;
  readonly #pool: ReadPool;
  readonly #timer: NodeJS.Timeout;
  #seen = { position: '', at: -Infinity };
  #isLooking = false;
  #restsUntil = -Infinity;
  /** Reads so far, by who answered them. */
  readonly reads = { standby: 0, primary: 0 };

  constructor(url: string, primary: Database, onError: (error: Error) => void) {
    this.#primary = primary;
    this.#pool = openReadPool(url, onError);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    void this.#look();
  }

  /**
   * Does a read that changes nothing, there or at the primary: `work` is called again with the primary's database whatever
   * went wrong, so that what a standby does not have yet is never missed.
   */
  async read<T>(freshness: Freshness, reach: Reach, primary: Database, work: (db: Database) => Promise<T>): Promise<T> {
    if (performance.now() >= this.#restsUntil) {
      const position = freshness === 'caught-up' ? await positionOf(this.#primary) : this.#lately();
      if (position !== null) {
        try {
          const answer = await work(this.#pool.after(position, reach));
          this.reads.standby += 1;
          return answer;
        } catch (error) {
          const isAway = !(error instanceof StandbyLags) && !(error instanceof Refusal);
          if (isAway) this.#restsUntil = performance.now() + REST_MS;
        }
      }
    }
    this.reads.primary += 1;
    return work(primary);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#pool.close();
  }

  /** Where the primary's log stood less than a second ago; null where nobody knows. */
  #lately(): string | null {
    return performance.now() - this.#seen.at < OLDEST_MS ? this.#seen.position : null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const at = performance.now();
    const position = await positionOf(this.#primary).catch(() => null);
    // One that does not answer is asked no more after a second; its faults are for the requests to meet.
    if (position !== null) this.#seen = { position, at };
    this.#isLooking = false;
  }
}

/** How far the primary has written its log. */
async function positionOf(primary: Database): Promise<string> {
  const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_lsn() AS position`.execute(primary);
  return rows[0]!.position;
}
