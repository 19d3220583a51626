import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { change, type Mutation, optionsOf, type Query } from './base.ts';

/** In place of an argument that is not known yet: nothing is read. */
export { skipToken };

/** A query as a component sees it. */
export type QueryResult<Data> = {
  /** The last answer, while another argument is read that of the one before. */
  data: Data | undefined;
  /** The answer for the present argument only. */
  currentData: Data | undefined;
  /** Why there is no newer answer: a `CallError`, anything else is a bug. */
  error: unknown;
  isFetching: boolean;
  /** Whether it is read and there is no answer yet. */
  isLoading: boolean;
  /** Whether there was an answer or an error, also while it is read again. */
  isFetched: boolean;
  /** Reads it again; never rejects. */
  refetch: () => Promise<unknown>;
};

type QueryOptions = {
  skip?: boolean;
  /** Reads it again with every mount and argument, although there is an answer. */
  isAskedAfresh?: boolean;
};

type HookArgs<Arg> = unknown extends Arg
  ? []
  : [arg: Arg | typeof skipToken, options?: QueryOptions];

/** The hook that reads a query while the component is shown. */
export function queryHook<Arg, Data>(
  query: Query<Arg, Data>,
): (...args: HookArgs<Arg>) => QueryResult<Data> {
  return function useQueryOf(...[arg, options = {}]) {
    const { skip = arg === skipToken, isAskedAfresh = false } = options;
    const result = useQuery<Data, unknown>({
      ...optionsOf(query, arg as Arg),
      enabled: !skip,
      staleTime: isAskedAfresh ? 0 : Infinity,
      placeholderData: keepPreviousData,
    });
    // The HTML was rendered without any answer: what is hydrated must begin like it, although
    // answers may be there by then.
    const isPending = useSyncExternalStore(
      never,
      () => result.isPending,
      () => true,
    );
    const { data, error, isFetching, isLoading, isFetched, isPlaceholderData } =
      isPending && !result.isPending ? unanswered : result;
    return {
      data,
      currentData: isPlaceholderData ? undefined : data,
      error: error ?? undefined,
      isFetching,
      isLoading,
      isFetched,
      refetch: result.refetch,
    };
  };
}

/** A call as it is awaited: its answer or its error; `unwrap` gives the answer or throws. */
export type Answering<Data> = Promise<{ data?: Data; error?: unknown }> & {
  unwrap: () => Promise<Data>;
};

/** The hook that gives a query to be read when it is called, afresh each time. */
export function lazyQueryHook<Arg, Data>(
  query: Query<Arg, Data>,
): () => [read: (arg: Arg) => Answering<Data>] {
  return function useLazyQueryOf() {
    const cache = useQueryClient();
    return [(arg) => answering(cache.query({ ...optionsOf(query, arg), staleTime: 0 }))];
  };
}

/** The hook that gives a change to be made when it is called. */
export function mutationHook<Arg, Data>(
  mutation: Mutation<Arg, Data>,
): () => [send: (arg: Arg) => Answering<Data>] {
  return function useMutationOf() {
    const cache = useQueryClient();
    return [(arg) => answering(change(cache, mutation, arg))];
  };
}

function answering<Data>(answer: Promise<Data>): Answering<Data> {
  const settled = answer.then(
    (data) => ({ data }),
    (error: unknown) => ({ error }),
  );
  return Object.assign(settled, { unwrap: () => answer });
}

const unanswered = {
  data: undefined,
  error: null,
  isFetching: true,
  isLoading: true,
  isFetched: false,
  isPlaceholderData: false,
};

/** Nothing to listen to. */
const never = () => () => {};
