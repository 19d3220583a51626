import type { Args, Reply } from '@gatehouse/contract/endpoint';
import { idLists } from '@gatehouse/contract/id-lists';
import { QueryClient } from '@tanstack/react-query';
import {
  type AnyArgs,
  type AnyEndpoint,
  call,
  CallError,
  facilityPath,
  sentences,
} from './call.ts';
import { getSession } from '#session/session.ts';

/**
 * How a subject file declares its calls (one file a subject), and a hook of each (hooks.ts):
 *
 *   export const ledgerCalls = {
 *     listLedgers: query({
 *       name: 'listLedgers',
 *       group: 'TenantLedgers',
 *       send: (ids: string[]) =>
 *         requestLists(ids, (tenantIds) => request(listLedgers, { tenantIds })),
 *     }),
 *     updateVehicle: mutation({
 *       send: ({ ledgerId, body }: Change) => request(updateVehicle, { ledgerId }, { body }),
 *       invalidates: ['TenantLedgers'],
 *     }),
 *   };
 *   export const useListLedgersQuery = queryHook(ledgerCalls.listLedgers);
 *   export const useUpdateVehicleMutation = mutationHook(ledgerCalls.updateVehicle);
 *
 * What fails, fails with the `CallError` of `call`; show its `message`. Status 0 means that no
 * usable answer came: a payment may then have gone through (`kind` 'timeout', 'fetch' or
 * 'parsing').
 */

/** The groups of cached data. */
export const cacheGroups = [
  'TenantInformation',
  'LedgerInsurance',
  'Autopay',
  'LedgerGateAccess',
  'TenantLedgers',
  'LedgerVehicle',
  'TenantCharges',
  'UnitContents',
] as const;
export type CacheGroup = (typeof cacheGroups)[number];

/** A read whose answers are cached, by its name and argument. */
export type Query<Arg, Data> = {
  name: string;
  /** The group of cached data that it belongs to; null is none, as the specification names none. */
  group: CacheGroup | null;
  send: (arg: Arg) => Promise<Data>;
};

/** A change: nothing of it is cached, and so no card or bank field that it carries. */
export type Mutation<Arg, Data> = {
  send: (arg: Arg) => Promise<Data>;
  /** The groups of cached data that are read again once it succeeded. */
  invalidates: readonly CacheGroup[];
  /** Whether they are read again after this failure too: what is shown is then out of date. */
  isOutdatedBy?: (error: CallError) => boolean;
};

/** Declares a read and keeps its exact types. */
export function query<Arg, Data>(value: Query<Arg, Data>): Query<Arg, Data> {
  return value;
}

/** Declares a change and keeps its exact types. */
export function mutation<Arg, Data>(value: Mutation<Arg, Data>): Mutation<Arg, Data> {
  return value;
}

/**
 * Sends a request under the facility prefix: corporation and location are filled in, a feature
 * names only its own ids. Throws what `call` throws.
 */
export function request<E extends AnyEndpoint>(
  endpoint: E,
  ids: OwnIds<E>,
  { idempotencyKey, ...rest }: Rest<E> & { idempotencyKey?: string } = {} as Rest<E>,
): Promise<Reply<E>> {
  const args: AnyArgs = { ...(rest as AnyArgs), params: { ...facilityPath(), ...ids } };
  const begunIn = getSession()?.token;
  return confirmed(() => call(endpoint, args as Args<E>, { idempotencyKey, begunIn }), begunIn);
}

/**
 * Sends a comma-joined call for any number of ids: one request for each list that a path may hold,
 * all at once. Answers their rows in the order of the ids.
 */
export async function requestLists<Row>(
  ids: string[],
  send: (list: string) => Promise<Row[]>,
): Promise<Row[]> {
  return (await Promise.all(idLists(ids).map(send))).flat();
}

/**
 * Sends a request, and where the server refuses it in a kept session until a passkey confirms, asks
 * for the passkey and sends it once more. Where the passkey does not confirm, it fails with status
 * 403 and the sentence that says why: nothing came of the request. `send` is given what it hands to
 * `call`: the session that it was begun in.
 */
export async function confirmed<Answer>(
  send: (begunIn: string | undefined) => Promise<Answer>,
  begunIn = getSession()?.token,
): Promise<Answer> {
  try {
    return await send(begunIn);
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'confirm') throw error;
    await confirm(begunIn);
    return send(begunIn);
  }
}

/**
 * Asks for a passkey, which confirms the kept session. Its code is loaded when it is needed; throws
 * a `CallError` of status 403 where the passkey does not confirm, or the code does not come.
 */
export async function confirm(begunIn = getSession()?.token): Promise<void> {
  const { confirmSessionNow } = await import('./by-passkey.ts').catch(() => {
    throw new CallError('fetch', 403, sentences.fetch);
  });
  await confirmSessionNow(begunIn);
}

/** Whether it is the error of a call, and not a bug. */
export function isApiError(error: unknown): error is CallError {
  return error instanceof CallError;
}

/** Reads are tried again twice, with a growing and jittered pause; nothing that writes ever is. */
const MOST_RETRIES = 2;
const passing = [502, 503, 504];

/** Of each cache: the session that it is for, by its token, and how many changes were begun. */
const caches = new WeakMap<QueryClient, { token: string | undefined; changes: number }>();

/** A number that is another one after every change: what was read before it is out of date. */
export function changesOf(cache: QueryClient): number {
  return caches.get(cache)?.changes ?? 0;
}

/**
 * Throws where another account has signed in since: what a page of the earlier session was about to
 * send is not for the present one.
 */
function expectPresent(cache: QueryClient): void {
  if (caches.get(cache)?.token !== getSession()?.token)
    throw new CallError('refused', 401, sentences.signedOut);
}

/**
 * An empty cache of server data, for the present session and no other. Unused data is kept 60
 * seconds; what is there is not read again by itself.
 */
export function createCache(): QueryClient {
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 60_000,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // Without a network a call is sent as well, and fails with the sentence that says so.
        networkMode: 'always',
        retry: (failures, error) =>
          failures < MOST_RETRIES &&
          isApiError(error) &&
          (error.kind === 'fetch' || passing.includes(error.status)),
        retryDelay: (failures) => (0.4 + Math.random()) * 600 * 2 ** failures,
      },
    },
  });
  caches.set(cache, { token: getSession()?.token, changes: 0 });
  return cache;
}

/** What the cache library needs to know of a query; `change` and the hooks go by its key. */
export function optionsOf<Arg, Data>(
  { group, name, send }: Query<Arg, Data>,
  arg: Arg,
): { queryKey: unknown[]; queryFn: (context: { client: QueryClient }) => Promise<Data> } {
  return {
    queryKey: [group, name, arg],
    async queryFn({ client }) {
      expectPresent(client);
      return send(arg);
    },
  };
}

/**
 * Makes a change. Of the groups that it invalidates, what is shown is read again and everything
 * else is dropped.
 */
export async function change<Arg, Data>(
  cache: QueryClient,
  { send, invalidates, isOutdatedBy }: Mutation<Arg, Data>,
  arg: Arg,
): Promise<Data> {
  expectPresent(cache);
  caches.get(cache)!.changes += 1;
  try {
    const data = await send(arg);
    invalidate(cache, invalidates);
    return data;
  } catch (error) {
    if (isApiError(error) && isOutdatedBy?.(error)) invalidate(cache, invalidates);
    throw error;
  } finally {
    // A payment may open the gate, which its groups do not name: the next to show it asks.
    void cache.invalidateQueries({ queryKey: ['LedgerGateAccess'], refetchType: 'none' });
  }
}

function invalidate(cache: QueryClient, groups: readonly CacheGroup[]): void {
  for (const group of groups) {
    cache.removeQueries({ queryKey: [group], type: 'inactive' });
    void cache.invalidateQueries({ queryKey: [group] });
  }
}

type Prefix = 'corp' | 'locationCode';
type OwnIds<E> =
  Args<E> extends { params: infer Params } ? Omit<Params, Prefix> : Record<string, never>;
type Rest<E> = Omit<Args<E>, 'params'>;
