import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { wireOf, type Call } from './client.ts';

/** A whole request as its bytes, and what to count it under. */
export type Shot = { kind: string; bytes: string };

/** The result of one: status 0 if the connection ended first. `ms` is counted from its due time. */
export type Hit = { kind: string; status: number; ms: number; at: number };

const TICK_MS = 5;

/**
 * Requests over separate connections, with so little work for each that on a machine of two
 * processors the server under attack keeps most of them.
 */
export class Flood {
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];
  /** Results of the requests that were not refused. */
  readonly hits: Hit[] = [];
  /** How many were refused with 429 or 503 and `Retry-After`: too many to keep each. */
  turnedAway = 0;

  constructor(address: string, connections: number) {
    const port = Number(new URL(address).port);
    for (let index = 0; index < connections; index += 1) this.#all.push(new Connection(port));
    this.#idle.push(...this.#all);
  }

  /** Resets the counts. */
  forget(): void {
    this.hits.length = 0;
    this.turnedAway = 0;
  }

  /** As many as there are connections, each as soon as the previous one is answered. */
  async saturate(seconds: number, next: () => Shot): Promise<void> {
    const until = performance.now() + seconds * 1000;
    const lane = async (connection: Connection) => {
      while (performance.now() < until)
        await new Promise<void>((resolve) =>
          this.#shoot(connection, next(), performance.now(), resolve),
        );
    };
    await Promise.all(this.#idle.map(lane));
  }

  /**
   * A fixed rate, independent of earlier answers; a request waits for a connection if all are in
   * use.
   */
  async pour(perSecond: number, seconds: number, next: () => Shot): Promise<void> {
    const begun = performance.now();
    const due: number[] = [];
    let [poured, shot, answered] = [0, 0, 0];
    const last = Promise.withResolvers<undefined>();
    let isOver = false;
    const shootOne = (connection: Connection) => {
      this.#shoot(connection, next(), due[shot]!, () => {
        answered += 1;
        this.#idle.push(connection);
        if (isOver && answered === shot) last.resolve(undefined);
      });
      shot += 1;
    };
    while (performance.now() < begun + seconds * 1000) {
      const now = performance.now();
      for (; poured < ((now - begun) * perSecond) / 1000; poured += 1) due.push(now);
      while (shot < due.length && this.#idle.length > 0) shootOne(this.#idle.pop()!);
      await delay(TICK_MS);
    }
    isOver = true;
    if (answered < shot) await last.promise;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#all) connection.close();
  }

  #shoot(connection: Connection, { kind, bytes }: Shot, since: number, done: () => void): void {
    connection.ask(bytes, (head) => {
      const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
      const saysWhen = status !== 200 && /^retry-after: \d/im.test(head);
      const at = performance.now();
      if (saysWhen && (status === 429 || status === 503)) this.turnedAway += 1;
      else this.hits.push({ kind, status, ms: at - since, at });
      done();
    });
  }
}

/**
 * One connection, reopened when it has ended, with one request at a time. Answers need a
 * `Content-Length`.
 */
class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #text = '';
  #done: ((head: string) => void) | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Called with the head of the answer, or nothing if the connection ended before it. */
  ask(bytes: string, done: (head: string) => void): void {
    this.#done = done;
    this.#socket ??= this.#open();
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay();
    socket
      .on('data', (part: Buffer) => this.#take(part))
      .on('error', () => {})
      .on('close', () => {
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        this.#answer('');
      });
    return socket;
  }

  #take(part: Buffer): void {
    this.#text += part.toString('latin1');
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#text.length >= end + 4 + length) this.#answer(head);
  }

  #answer(head: string): void {
    const done = this.#done;
    this.#done = undefined;
    this.#text = '';
    done?.(head);
  }
}

/** The call as the bytes of its request. */
export function shotOf(kind: string, call: Call): Shot {
  const { headers, body = '' } = wireOf(call);
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return {
    kind,
    bytes: `${call.method} ${call.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${String(body)}`,
  };
}
