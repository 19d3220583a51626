/** What the bench uses of autocannon, which carries no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  type Request = {
    method: string;
    path: string;
    headers: Record<string, string>;
    body: string | Buffer | undefined;
  };
  type Options = {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    requests: { setupRequest(): Request }[];
  };
  /**
   * Emits `response` with the client, the status, the bytes and the milliseconds; `reqError` with
   * what went wrong.
   */
  type Run = EventEmitter & PromiseLike<unknown>;

  export default function autocannon(options: Options): Run;
}
