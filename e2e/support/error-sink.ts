import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test looks at of each kind of item. */
type Payloads = {
  event: {
    event_id: string;
    exception: { values: { value: string; mechanism: { type: string; handled: boolean } }[] };
    tags?: { replayId?: string };
  };
  transaction: { transaction: string };
  replay_event: { replay_id: string; error_ids: string[] };
  replay_recording: { type: number; timestamp: number }[];
};

/** A stand-in for the operator's Sentry, on this machine: takes in what the portal sends. */
export type ErrorSink = {
  dsn: string;
  origin: string;
  /** The items of a kind that are there by now. */
  all: <Kind extends keyof Payloads>(kind: Kind) => Payloads[Kind][];
  /** The first item of a kind that fits, as soon as it is there. */
  first: <Kind extends keyof Payloads>(
    kind: Kind,
    fits?: (payload: Payloads[Kind]) => boolean,
  ) => Promise<Payloads[Kind]>;
  /** Every text in what was sent, addresses and headers of the requests included. */
  texts: () => string[];
  close: () => Promise<void>;
};

export async function openErrorSink(): Promise<ErrorSink> {
  const requests: unknown[] = [];
  const items: { type: string; payload: unknown }[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const lines = Buffer.concat(parts).toString().split('\n');
      const { 'content-length': _length, ...headers } = request.headers;
      requests.push(request.url, headers, JSON.parse(lines[0]!));
      items.push(...itemsOf(lines.slice(1)));
      response
        .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
        .end('{}');
      for (const look of [...waiting]) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  // The kind says what the payload is; the SDK made it.
  function all<Kind extends keyof Payloads>(kind: Kind): Payloads[Kind][] {
    return items
      .filter(({ type }) => type === kind)
      .map(({ payload }) => payload as Payloads[Kind]);
  }
  return {
    dsn: `http://publickey@${host}/1`,
    origin: `http://${host}`,
    all,
    first: (kind, fits = () => true) =>
      new Promise((resolve) => {
        function look() {
          const found = all(kind).find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        }
        waiting.add(look);
        look();
      }),
    texts: () => textsOf([requests, items]),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Of each item there is a line with its header and one with its payload; a replay's segment is
 * named in a line between.
 */
function itemsOf(lines: string[]): { type: string; payload: unknown }[] {
  const items = [];
  for (let at = 0; at < lines.length; at += 2) {
    const { type } = JSON.parse(lines[at]!) as { type: string };
    if (type === 'replay_recording') at += 1;
    items.push({ type, payload: JSON.parse(lines[at + 1]!) as unknown });
  }
  return items;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsOf(part)]);
}
