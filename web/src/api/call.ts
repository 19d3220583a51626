import { type Args, pathOf, type Reply, type Schema } from '@gatehouse/contract/endpoint';
import { sentenceOfRefusal } from '@gatehouse/contract/refusal';
import { LANGUAGE_HEADER } from '@gatehouse/language/header';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { PROOF_HEADER, prove } from '#session/proof.ts';
import { clearSession, getSession, type Session } from '#session/session.ts';
import { noteServerTime } from './server-time.ts';

declare const __CORPORATION_CODE__: string;

/** The fixed corporation code of this build. */
export const CORPORATION_CODE = __CORPORATION_CODE__;

/**
 * What went wrong: the server refused (`status` says how), refused until a passkey confirms the
 * kept session (api/base.ts), or no answer, none in time, or none that can be read (status 0).
 */
export type CallErrorKind = 'refused' | 'confirm' | 'fetch' | 'timeout' | 'parsing';

/** The one error of a call. `message` is the sentence that the tenant reads. */
export class CallError extends Error {
  readonly kind: CallErrorKind;
  readonly status: number;

  constructor(kind: CallErrorKind, status: number, message: string) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

/** Any endpoint of the contract. */
export type AnyEndpoint = {
  method: 'GET' | 'POST' | 'PATCH';
  path: `/${string}`;
  access: 'public' | 'session' | 'tenant';
  reply: Schema;
  urgency?: string;
};

/** The parts that an endpoint may take, whichever it is. */
export type AnyArgs = {
  params?: Record<string, string> | undefined;
  query?: Record<string, string> | undefined;
  body?: unknown;
};

type CallOptions = {
  /** One key for all attempts of one action. */
  idempotencyKey?: string | undefined;
  /**
   * The token of the session that something was begun in; in another one it is not sent, as after
   * another account has signed in in another tab.
   */
  begunIn?: string | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Lets the request outlive the page, and its answer clear what the browser keeps of it; for
   * signing out.
   */
  isKeptAlive?: boolean | undefined;
  /** Sends the request in place of `fetch`, for callers that report upload progress. */
  transport?: Transport | undefined;
};

/** An answer as `call` reads it. */
export type Answer = Pick<Response, 'status' | 'headers' | 'text'>;

/** What sends a request and answers with what came back; rejects when nothing did. */
export type Transport = (url: string, init: SentRequest) => Promise<Answer>;
export type SentRequest = RequestInit & { headers: Headers; signal: AbortSignal };

/**
 * Sends one request of the contract and answers its reply, checked; throws a `CallError` for
 * everything else.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  args: Args<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const { params, query, body } = args as AnyArgs;
  const token = endpoint.access === 'public' ? undefined : getSession()?.token;
  const headers = new Headers({ Accept: 'application/json' });
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (language() === 'es') headers.set(LANGUAGE_HEADER, 'es');
  if (options.idempotencyKey !== undefined) headers.set('Idempotency-Key', options.idempotencyKey);

  const proof = token && (await prove(token));
  // Once what has to be waited for is here.
  if (options.begunIn !== undefined && options.begunIn !== getSession()?.token)
    throw new CallError('refused', 401, sentences.signedOut);
  if (proof) headers.set(PROOF_HEADER, proof);

  const timeout = AbortSignal.timeout(timeoutOf(endpoint));
  const {
    status,
    headers: answered,
    json,
  } = await send(`/api${pathOf(endpoint.path, params, query)}`, timeout, options, {
    method: endpoint.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    keepalive: options.isKeptAlive ?? false,
    cache: 'no-store',
    // There are no cookies; but an answer without credentials may clear nothing (Clear-Site-Data).
    credentials: options.isKeptAlive ? 'same-origin' : 'omit',
  });

  if (status < 200 || status > 299) {
    const message = sentenceOfRefusal({ status, headers: answered }, json);
    if (message === undefined && status < 500) throw new CallError('parsing', 0, sentences.parsing);
    // A late refusal of an earlier session must not end the present one.
    if (status === 401 && token !== undefined && token === getSession()?.token)
      clearSession('expired');
    throw new CallError(
      answered.has('Gatehouse-Step-Up') ? 'confirm' : 'refused',
      status,
      message === undefined ? `${sentences.server} (${status})` : shortened(message),
    );
  }
  const reply = endpoint.reply.safeParse(json);
  if (!reply.success) throw new CallError('parsing', 0, sentences.parsing);
  return reply.data as Reply<E>;
}

/** The path parameters of the facility prefix, so that a feature names only its own ids. */
export function facilityPath(session: Session | null = getSession()): {
  corp: string;
  locationCode: string;
} {
  if (session === null) throw new CallError('refused', 401, sentences.signedOut);
  return { corp: CORPORATION_CODE, locationCode: session.locationCode };
}

const READ_TIMEOUT = 20_000;
const WRITE_TIMEOUT = 40_000;
/** What the server gives an upload; a file that comes back is as large. */
const FILE_TIMEOUT = 120_000;

function timeoutOf({ method, urgency }: AnyEndpoint): number {
  if (urgency === 'photo') return FILE_TIMEOUT;
  return method === 'GET' ? READ_TIMEOUT : WRITE_TIMEOUT;
}

export const sentences = {
  fetch: t('We could not reach the server. Check your connection and try again.'),
  timeout: t('The server took too long to answer. Please try again.'),
  parsing: t('The server sent an answer that we could not read. Please try again.'),
  server: t('Something went wrong on our side. Please try again.'),
  signedOut: t('Please sign in again.'),
};

/** The longest server message that is shown. */
const MOST_MESSAGE = 200;

async function send(
  url: string,
  timeout: AbortSignal,
  { signal: given, transport = fetch }: CallOptions,
  init: Omit<SentRequest, 'signal'>,
) {
  const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
  try {
    const response = await transport(url, { ...init, signal });
    const { status, headers } = response;
    noteServerTime(headers.get('date'));
    return { status, headers, json: parseJson(await response.text()) };
  } catch (error) {
    if (given?.aborted) throw error;
    const kind = timeout.aborted ? 'timeout' : 'fetch';
    throw new CallError(kind, 0, sentences[kind]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortened(message: string): string {
  return message.length > MOST_MESSAGE ? `${message.slice(0, MOST_MESSAGE - 1)}…` : message;
}
