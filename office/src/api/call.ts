import type { Schema } from '@gatehouse/contract/endpoint';
import { pathOf } from '@gatehouse/contract/endpoint';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { HttpError } from 'react-admin';
import { safeParse, type z } from 'zod/mini';
import { askToSignIn, isSignedIn } from './session.ts';

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

const UNREACHABLE = 'The office could not be reached. Check your connection and try again.';

/**
 * Sends a call of the office and answers its reply, checked by the contract. Where the session has
 * ended meanwhile it asks to sign in again and repeats the call, so that a form keeps what was
 * typed. Throws an HttpError with the sentence that the reader sees; status 0 where no answer came.
 */
export async function call<E extends OfficeEndpoint>(
  endpoint: E,
  args: CallArgs<E>,
  signal?: AbortSignal,
): Promise<z.output<E['reply']>> {
  const response = await send(endpoint, args, signal);
  if (response.status === 401 && endpoint.access === 'staff' && isSignedIn()) {
    if (await askToSignIn()) return call(endpoint, args, signal);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new HttpError(messageOf(answer), response.status, answer);
  const checked = safeParse(endpoint.reply, answer);
  if (!checked.success)
    throw new HttpError('The answer could not be read. Please try again.', 0, checked.error);
  return checked.data as z.output<E['reply']>;
}

async function send(
  { method, path }: OfficeEndpoint,
  { params, query = {}, body }: Given,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const named = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  try {
    return await fetch(`/api${pathOf(path, params, Object.fromEntries(named))}`, {
      method,
      cache: 'no-store',
      ...(signal && { signal }),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new HttpError(UNREACHABLE, 0);
  }
}

function messageOf(answer: unknown): string {
  const message = (answer as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : 'Something went wrong. Please try again.';
}
