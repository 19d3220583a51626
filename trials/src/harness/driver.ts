import { setTimeout as delay } from 'node:timers/promises';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { AppPool } from './app-pool.ts';
import { Caller } from './caller.ts';
import { pay } from './calls.ts';
import type { Order } from './orders.ts';
import { readLog, SyncedLog } from './simulator/synced-log.ts';

/**
 * An answer: status 0 if the connection was lost first. `retryAfterMs` is its `Retry-After`, if
 * any.
 */
export type Answer = {
  status: number;
  message: string;
  receipt: PaymentReceipt | null;
  retryAfterMs?: number;
};

/** A line of the driver's log, on the disk before the request goes out or the answer counts. */
export type DriverLine =
  | {
      kind: 'sent';
      order: string;
      key: string | null;
      cents: number;
      ledgers: string[];
      at: string;
    }
  | {
      kind: 'answered';
      order: string;
      status: number;
      receipt: PaymentReceipt | null;
      message: string;
      at: string;
    };

/** Sends payments and records every answer. */
export class Driver {
  readonly #log: SyncedLog;
  readonly #path: string;
  /** Sends its requests, and other requests of the proof. */
  readonly caller = new Caller();

  private constructor(log: SyncedLog, path: string) {
    this.#log = log;
    this.#path = path;
  }

  static async open(path: string): Promise<Driver> {
    return new Driver(await SyncedLog.open(path), path);
  }

  /** Sends one request; returns its answer once it is recorded. */
  async send(address: string, order: Order): Promise<Answer> {
    const { name, lines, key = null } = order;
    const cents = lines.reduce((sum, line) => sum + line.cents, 0);
    const ledgers = lines.map(({ ledgerId }) => ledgerId);
    await this.#log.append({
      kind: 'sent',
      order: name,
      key,
      cents,
      ledgers,
      at: now(),
    } satisfies DriverLine);
    const answer = await this.#post(address, order);
    await this.#log.append({
      kind: 'answered',
      order: name,
      ...answer,
      at: now(),
    } satisfies DriverLine);
    return answer;
  }

  /**
   * Sends it until there is a final answer: retries after a lost connection, 409 or a 5xx, no
   * sooner than `Retry-After`.
   */
  async sendUntilFinal(pool: AppPool, order: Order): Promise<Answer> {
    for (let pause = 250; ; pause = Math.min(pause * 2, 2000)) {
      const answer = await this.send((await pool.next()).address, order);
      if (answer.status !== 0 && answer.status !== 409 && answer.status < 500) return answer;
      await delay(answer.status === 0 ? 20 : (answer.retryAfterMs ?? pause));
    }
  }

  lines(): Promise<DriverLine[]> {
    return readLog<DriverLine>(this.#path);
  }

  /** Answers so far, by status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.caller.statuses;
  }

  async close(): Promise<void> {
    this.caller.close();
    await this.#log.close();
  }

  async #post(address: string, order: Order): Promise<Answer> {
    const { status, text, retryAfter } = await this.caller.call(address, pay(order));
    if (status === 0) return { status, message: text, receipt: null };
    return {
      ...readAnswer(status, text),
      ...(retryAfter !== null && { retryAfterMs: Number(retryAfter) * 1000 }),
    };
  }
}

function readAnswer(status: number, text: string): Answer {
  const body = JSON.parse(text) as PaymentReceipt | { message: string }; // the contract's two kinds of answers
  return 'message' in body
    ? { status, message: body.message, receipt: null }
    : { status, message: '', receipt: body };
}

function now(): string {
  return testClock.now().toISOString();
}
