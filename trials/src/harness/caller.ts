import { openClient, type Call, type Client } from './client.ts';

/** An answer: status 0 if the connection was lost first, or nothing came in time. */
export type CallResult = {
  method: string;
  path: string;
  status: number;
  text: string;
  retryAfter: string | null;
  /** When it was sent, in milliseconds, and how long it took. */
  at: number;
  ms: number;
};

/** Sends requests over connections that are kept open. */
export class Caller {
  readonly #clients = new Map<string, Client>();
  /** Answers so far, by status. */
  readonly statuses = new Map<number, number>();
  /** Called with each answer, for a proof that checks more than the status. */
  onAnswer: (result: CallResult) => void = () => {};

  async call(address: string, call: Call): Promise<CallResult> {
    const at = performance.now();
    const { status, headers, text } = await this.#client(address).send(call);
    const result = {
      method: call.method,
      path: call.path,
      status,
      text,
      retryAfter: headers['retry-after'] ?? null,
      at,
      ms: performance.now() - at,
    };
    this.statuses.set(result.status, (this.statuses.get(result.status) ?? 0) + 1);
    this.onAnswer(result);
    return result;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #client(address: string): Client {
    const client = this.#clients.get(address) ?? openClient(address);
    this.#clients.set(address, client);
    return client;
  }
}
