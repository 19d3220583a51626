import type { Schema } from '@gatehouse/contract/endpoint';
import { pathOf } from '@gatehouse/contract/endpoint';
import {
  MEMBER_HEADER,
  type OfficeEndpoint,
  POLL_HEADER,
} from '@gatehouse/contract/office/office-endpoint';
import { sentenceOfRefusal } from '@gatehouse/contract/refusal';
import { HttpError } from 'react-admin';
import { safeParse, type z } from 'zod/mini';
import { askToSignIn, currentMe, isSignedIn } from './session.ts';

type Part<E extends OfficeEndpoint, Key extends 'params' | 'query' | 'body'> =
  NonNullable<E[Key]> extends infer Shape
    ? [Shape] extends [never]
      ? { [K in Key]?: undefined }
      : { [K in Key]: Shape extends Schema ? z.input<Shape> : never }
    : never;

/** What a caller passes: exactly the parts that the endpoint declares. */
type CallArgs<E extends OfficeEndpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

type Given = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
};

type CallOptions = {
  /** The member whom the page shows. */
  memberId?: string | undefined;
  /** The page repeats it by itself: it does not keep anybody signed in. */
  isPoll?: boolean;
};

const UNREACHABLE = 'The office could not be reached. Check your connection and try again.';
const UNREADABLE = 'The answer could not be read. Please try again.';

/**
 * Sends a call of the office and answers its reply, checked by the contract. Where the session has
 * ended meanwhile it asks to sign in again and repeats the call, so that a form keeps what was
 * typed. Where another member has signed in meanwhile, the page is loaded again and nothing is
 * answered. Throws an HttpError with the sentence that the reader sees; status 0 where no answer
 * came, or one that is not the office's, such as a proxy's.
 */
export async function call<E extends OfficeEndpoint>(
  endpoint: E,
  args: CallArgs<E>,
  signal?: AbortSignal,
  { memberId = currentMe()?.id, isPoll = false }: CallOptions = {},
): Promise<z.output<E['reply']>> {
  const response = await send(endpoint, args, { signal, memberId, isPoll });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const message = sentenceOfRefusal(response, answer);
    if (message === undefined) throw new HttpError(UNREADABLE, 0);
    if (endpoint.access === 'staff' && isSignedIn()) {
      if (response.headers.has(MEMBER_HEADER)) return loadAgain();
      if (response.status === 401 && (await askToSignIn())) return call(endpoint, args, signal);
    }
    throw new HttpError(message, response.status, answer);
  }
  const checked = safeParse(endpoint.reply, answer);
  if (!checked.success) throw new HttpError(UNREADABLE, 0, checked.error);
  return checked.data as z.output<E['reply']>;
}

async function send(
  { method, path }: OfficeEndpoint,
  { params, query = {}, body }: Given,
  { signal, memberId, isPoll }: CallOptions & { signal: AbortSignal | undefined },
): Promise<Response> {
  const named = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  try {
    return await fetch(`/api${pathOf(path, params, Object.fromEntries(named))}`, {
      method,
      cache: 'no-store',
      ...(signal && { signal }),
      headers: {
        ...(memberId !== undefined && { [MEMBER_HEADER]: memberId }),
        ...(isPoll && { [POLL_HEADER]: '1' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new HttpError(UNREACHABLE, 0);
  }
}

/** The page shows another member than is signed in: nothing that it waits for is of use. */
function loadAgain(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
