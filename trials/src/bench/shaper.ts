import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A phone's link: round trip in ms, rates in kbit/s, and how many bytes a new connection may have
 * under way.
 */
export type Link = { rttMs: number; downKbit: number; upKbit: number; windowBytes: number };

const SEGMENT = 1460;

/**
 * Puts a link in front of a server, by default one of this machine. All connections share one queue
 * a direction; a new connection takes a round trip, and what it may have under way grows with every
 * byte that has arrived (TCP slow start).
 */
export async function shape(
  port: number,
  link: Link,
  host = '127.0.0.1',
): Promise<{ port: number; close(): Promise<void> }> {
  const up = new Queue(link.upKbit);
  const down = new Queue(link.downKbit);
  const open = new Set<Socket>();
  const front = createServer((client) => {
    const server = connect(port, host);
    for (const socket of [client, server]) {
      open.add(socket.setNoDelay());
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => [client, server].forEach((side) => side.destroy()));
    }
    carry(client, server, up, { oneWayMs: link.rttMs / 2, firstMs: link.rttMs, window: Infinity });
    carry(server, client, down, { oneWayMs: link.rttMs / 2, firstMs: 0, window: link.windowBytes });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    async close() {
      front.close();
      for (const socket of open) socket.destroy();
      await once(front, 'close');
    },
  };
}

/** A wire that takes one piece after the other. */
class Queue {
  readonly #bytesPerMs: number;
  #freeAt = 0;

  constructor(kbit: number) {
    this.#bytesPerMs = kbit / 8;
  }

  /** When a piece that is ready at `readyAt` has left the wire. */
  send(bytes: number, readyAt: number): number {
    this.#freeAt = Math.max(this.#freeAt, readyAt) + bytes / this.#bytesPerMs;
    return this.#freeAt;
  }
}

type Way = { oneWayMs: number; firstMs: number; window: number };

function carry(
  from: Socket,
  to: Socket,
  queue: Queue,
  { oneWayMs, firstMs, window: first }: Way,
): void {
  const openAt = performance.now() + firstMs;
  const waiting: Buffer[] = [];
  const underWay: Buffer[] = [];
  let window = first;
  let bytesUnderWay = 0;
  let hasEnded = false;

  function pump(): void {
    while (waiting.length > 0 && bytesUnderWay < window) {
      const piece = waiting.shift()!;
      underWay.push(piece);
      bytesUnderWay += piece.length;
      later(queue.send(piece.length, Math.max(openAt, performance.now())) + oneWayMs, arrive);
    }
    if (hasEnded && waiting.length === 0 && underWay.length === 0) to.end();
  }
  // Timers of one moment may come in any order: what arrives is always the oldest piece.
  function arrive(): void {
    const piece = underWay.shift()!;
    to.write(piece);
    later(performance.now() + oneWayMs, () => {
      bytesUnderWay -= piece.length;
      window += piece.length;
      pump();
    });
    pump();
  }
  from.on('data', (data: Buffer) => {
    for (let start = 0; start < data.length; start += SEGMENT)
      waiting.push(data.subarray(start, start + SEGMENT));
    pump();
  });
  from.on('end', () => {
    hasEnded = true;
    pump();
  });
}

function later(at: number, work: () => void): void {
  setTimeout(work, Math.max(0, at - performance.now()));
}
