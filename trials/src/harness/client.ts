import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/**
 * A request. `path` is relative to the address; a `body` of text or bytes is sent unchanged, any
 * other as JSON.
 */
export type Call = {
  method: string;
  path: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
};

/** The raw answer. Status 0: the connection ended without an answer, or there was none in time. */
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Sends requests to one server unchanged: no redirects, no retries, no parsing. */
export type Client = {
  send(call: Call): Promise<Answer>;
  /** Ends the connections that are kept. */
  close(): void;
};

/** What has no answer by then never gets one, however busy the machine is. */
const GIVE_UP_MS = 120_000;
/**
 * An idle connection ends on this side first, as a browser's does: the server ends it after 75 s,
 * perhaps as a request goes out.
 */
const IDLE_MS = 60_000;

/** With a maximum number of connections; by default as many as concurrent calls. */
export function openClient(address: string, { connections = Infinity } = {}): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
  return {
    send: (call) => send(agent, address, call),
    close: () => agent.destroy(),
  };
}

/** Whether the server shed the request: 503 or 429 with `Retry-After` (D27). */
export function isShed({ status, headers }: Answer): boolean {
  return status === 503 && headers['retry-after'] !== undefined;
}

/** Whether the answer is an error of the server's, or there was none. */
export function isFault(answer: Answer): boolean {
  return (answer.status >= 500 || answer.status === 0) && !isShed(answer);
}

/** The answer's JSON. Throws where it is none. */
export function jsonOf({ text }: Answer): unknown {
  return JSON.parse(text);
}

/** The headers and the body of a call as they are sent. */
export function wireOf({ token, headers, body }: Call) {
  const isAsItIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const payload = isAsItIs ? body : JSON.stringify(body);
  const given: Record<string, string> = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(payload !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
    }),
    ...headers,
  };
  return { headers: given, body: payload };
}

function send(agent: Agent, address: string, call: Call): Promise<Answer> {
  const { method, path } = call;
  const { headers: given, body: payload } = wireOf(call);
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, headers: {}, text: 'the connection was lost' });
    const sent = httpRequest(
      `${address}${path}`,
      { method, agent, headers: given, timeout: GIVE_UP_MS },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', lost);
        response.on('aborted', lost);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          if (response.complete)
            resolve({ status, headers, text: Buffer.concat(parts).toString() });
          else lost();
        });
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', lost);
    sent.end(payload);
  });
}
