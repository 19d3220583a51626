import { Agent, request as httpRequest } from 'node:http';

/** A request as a browser sends it. */
export type Call = {
  method: 'GET' | 'POST';
  path: string;
  token?: string | undefined;
  body?: object;
  headers?: Record<string, string>;
};

/** What came back: status 0 where the connection was lost first, or nothing came in time. */
export type Told = {
  method: string;
  path: string;
  status: number;
  text: string;
  retryAfter: string | null;
  /** When it was sent, in milliseconds, and how long it took. */
  at: number;
  ms: number;
};

const GIVE_UP_MS = 30_000;

/** Sends requests over connections that are kept open, and hears every answer. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity, keepAliveMsecs: 60_000 });
  /** Answers so far, by status. */
  readonly statuses = new Map<number, number>();
  /** Hears each answer, for a proof that looks at more than its status. */
  hear: (told: Told) => void = () => {};

  async call(address: string, call: Call): Promise<Told> {
    const at = Date.now();
    const answer = await this.#send(address, call);
    const told = { method: call.method, path: call.path, ...answer, at, ms: Date.now() - at };
    this.statuses.set(told.status, (this.statuses.get(told.status) ?? 0) + 1);
    this.hear(told);
    return told;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(address: string, { method, path, token, body, headers }: Call) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sentHeaders = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...headers,
    };
    return new Promise<Pick<Told, 'status' | 'text' | 'retryAfter'>>((resolve) => {
      const lost = () => resolve({ status: 0, text: 'the connection was lost', retryAfter: null });
      const sent = httpRequest(
        `${address}${path}`,
        { method, agent: this.#agent, headers: sentHeaders, timeout: GIVE_UP_MS },
        (response) => {
          let answer = '';
          response.on('data', (part: Buffer) => (answer += part.toString()));
          response.on('error', lost);
          response.on('aborted', lost);
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response;
            if (response.complete) resolve({ status, text: answer, retryAfter: headers['retry-after'] ?? null });
          });
        },
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', lost);
      sent.end(text);
    });
  }
}
