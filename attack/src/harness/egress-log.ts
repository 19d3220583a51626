import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * Loaded into a server before anything else (`--import`): writes down every address that a socket of it connects to, one a
 * line, in the file EGRESS_LOG.
 */
const path = process.env.EGRESS_LOG!;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own socket below
const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket;

Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
  // Node normalises the arguments of its own callers to a list in a list.
  const [first] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  const {
    host,
    port,
    path: pipe,
  } = typeof first === 'object' && first !== null
    ? (first as Record<string, unknown>)
    : { host: given[1], port: first };
  appendFileSync(path, `${typeof pipe === 'string' ? pipe : `${String(host)}:${String(port)}`}\n`);
  return connect.apply(this, given);
};
