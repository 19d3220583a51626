import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * Loaded into a server before anything else (`--import`): writes every address that its sockets
 * connect to into the file EGRESS_LOG, one per line.
 */
const path = process.env.EGRESS_LOG!;
// oxlint-disable-next-line typescript/unbound-method -- called with its own socket below
const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket;

Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
  // Node normalises the arguments of its own callers to a list in a list.
  const [first] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  appendFileSync(path, `${targetOf(first, given[1])}\n`);
  return connect.apply(this, given);
};

/** A path of a Unix socket, or host and port. */
function targetOf(first: unknown, second: unknown): string {
  if (typeof first === 'string' && !/^\d+$/.test(first)) return first;
  if (typeof first !== 'object' || first === null)
    return `${typeof second === 'string' ? second : 'localhost'}:${String(first)}`;
  const {
    host = 'localhost',
    port,
    path: pipe,
  } = first as { host?: string; port?: number; path?: string }; // as net takes them
  return pipe ?? `${host}:${port}`;
}
