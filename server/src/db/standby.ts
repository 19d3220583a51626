import type { Freshness } from '@gatehouse/contract/endpoint';
import { sql } from 'kysely';
import { Refusal } from '#errors/refusal.ts';
import type { Reach } from './connection.ts';
import { openReadPool, StandbyLags, type Database, type ReadPool } from './database.ts';

/**
 * The most that a standby's data may be old, and the interval at which the primary's log position
 * is read.
 */
const OLDEST_MS = 1000;
const LOOK_MS = 250;
/** A standby that failed is not used for this long. */
const REST_MS = 2000;

/**
 * Reads from a standby, or from the primary where the standby is down, slow or behind. The lag is
 * not measured by clocks: the standby must have replayed the log up to the primary's position at a
 * known time.
 */
export class Standby {
  readonly #primary: Database;
  readonly #pool: ReadPool;
  readonly #timer: NodeJS.Timeout;
  #seen = { position: '', at: -Infinity };
  #isLooking = false;
  #restsUntil = -Infinity;
  /** Number of reads by server. */
  readonly reads = { standby: 0, primary: 0 };

  constructor(url: string, primary: Database, onError: (error: Error) => void) {
    this.#primary = primary;
    this.#pool = openReadPool(url, onError);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    void this.#look();
  }

  /**
   * Runs a read-only `work` on the standby or the primary; after any failure it runs again on the
   * primary, so that data missing on the standby is found.
   */
  async read<T>(
    freshness: Freshness,
    reach: Reach,
    primary: Database,
    work: (db: Database) => Promise<T>,
  ): Promise<T> {
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

  /** The primary's log position less than a second ago; null where unknown. */
  #lately(): string | null {
    return performance.now() - this.#seen.at < OLDEST_MS ? this.#seen.position : null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const at = performance.now();
    const position = await positionOf(this.#primary).catch(() => null);
    // A primary that does not answer is not asked again for a second; requests report its errors.
    if (position !== null) this.#seen = { position, at };
    this.#isLooking = false;
  }
}

/** The primary's current log position. */
async function positionOf(primary: Database): Promise<string> {
  const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_lsn() AS position`.execute(
    primary,
  );
  return rows[0]!.position;
}
