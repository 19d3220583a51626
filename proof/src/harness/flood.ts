import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A whole request as its bytes, and what to count it under. */
export type Shot = { kind: string; bytes: string };

/** What came of one: status 0 where the connection ended first. `ms` is counted from when it was due. */
export type Hit = { kind: string; status: number; saysWhen: boolean; ms: number; at: number };

const TICK_MS = 5;

/**
 * Requests over connections of its own, with so little work for each that on a machine of two processors the server under
 * attack keeps most of them.
 */
export class Flood {
  readonly #port: number;
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];
  readonly hits: Hit[] = [];

  constructor(address: string, connections: number) {
    this.#port = Number(new URL(address).port);
    for (let index = 0; index < connections; index += 1) {
      const connection = new Connection(this.#port);
      this.#idle.push(connection);
      this.#all.push(connection);
    }
  }

  /** As many as there are connections, each as soon as the one before is answered. */
  async saturate(seconds: number, next: () => Shot): Promise<void> {
    const until = performance.now() + seconds * 1000;
    const lane = async (connection: Connection) => {
      while (performance.now() < until) await this.#shoot(connection, next(), performance.now());
    };
    await Promise.all(this.#idle.map(lane));
  }

  /** So many a second, whatever becomes of those before; what finds every connection taken waits for one. */
  async pour(perSecond: number, seconds: number, next: () => Shot): Promise<void> {
    const begun = performance.now();
    const due: number[] = [];
    const underWay = new Set<Promise<void>>();
    let poured = 0;
    while (performance.now() < begun + seconds * 1000) {
      const now = performance.now();
      for (; poured < ((now - begun) * perSecond) / 1000; poured += 1) due.push(now);
      for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
        const since = due.shift();
        if (since === undefined) {
          this.#idle.push(connection);
          break;
        }
        const mine = connection;
        const shot = this.#shoot(mine, next(), since).finally(() => {
          this.#idle.push(mine);
          underWay.delete(shot);
        });
        underWay.add(shot);
      }
      await delay(TICK_MS);
    }
    await Promise.all(underWay);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  async #shoot(connection: Connection, { kind, bytes }: Shot, since: number): Promise<void> {
    const head = await connection.ask(bytes);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
    const at = performance.now();
    this.hits.push({ kind, status, saysWhen: /^retry-after: \d/im.test(head), ms: at - since, at });
  }
}

/** One connection, opened again when it has ended. Answers must say their length. */
class Connection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** The head of the answer; nothing where the connection ended before it. */
  ask(bytes: string): Promise<string> {
    const socket = (this.#socket ??= connect(this.#port, '127.0.0.1').setNoDelay());
    return new Promise((resolve) => {
      let text = '';
      const done = (head: string) => {
        socket.removeAllListeners();
        socket.on('error', () => {}).on('close', () => this.#forget(socket));
        resolve(head);
      };
      const lost = () => {
        this.#forget(socket);
        done('');
      };
      socket.removeAllListeners();
      socket.on('error', lost).on('close', lost);
      socket.on('data', (part: Buffer) => {
        text += part.toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length >= end + 4 + length) done(text.slice(0, end));
      });
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #forget(socket: Socket): void {
    if (this.#socket === socket) this.#socket = undefined;
  }
}

/** The bytes of a request with a JSON body, or with none. */
export function bytesOf(method: string, path: string, headers: Record<string, string>, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** The value below which this share of them lies; 0 of none. */
export function quantileOf(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
