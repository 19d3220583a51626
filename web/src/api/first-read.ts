import type { Args } from '@gatehouse/contract/endpoint';
import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '#session/session.ts';
import { optionsOf, type Query } from './base.ts';
import { type AnyEndpoint, call, facilityPath } from './call.ts';
import { earlyOrFetch } from './early.ts';

/**
 * A call that a page starts with. The script in its HTML sends it before any code is here; `begin`
 * then takes the answer into the cache, and settles when it is there. It never rejects.
 */
export type FirstRead = {
  endpoint: AnyEndpoint;
  params: Record<string, string>;
  /** Absent where the screen keeps the answer itself, as without a session. */
  begin?: (cache: QueryClient) => Promise<unknown>;
};

/**
 * What a screen reads first, in the order in which it shows it: reads that need a session and
 * nothing that another read answers.
 */
export type FirstReads = (session: Session) => FirstRead[];

/**
 * The first read of a query, as the screen's hook will ask for it; `ids` are the endpoint's own.
 */
export function firstRead<Arg, Data>(
  session: Session,
  query: Query<Arg, Data>,
  arg: Arg,
  endpoint: AnyEndpoint,
  ids: Record<string, string> = {},
): FirstRead {
  const params = { ...facilityPath(session), ...ids };
  const options = { transport: earlyOrFetch, begunIn: session.token };
  const send = () => call(endpoint, { params } as Args<AnyEndpoint>, options) as Promise<Data>;
  return {
    endpoint,
    params,
    begin: (cache) =>
      cache.query({ ...optionsOf(query, arg), queryFn: send }).catch(() => undefined),
  };
}
