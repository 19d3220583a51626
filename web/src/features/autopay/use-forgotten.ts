import { useEffect } from 'react';

type Mutation = { isLoading: boolean; originalArgs?: unknown; reset: () => void };

/** Drops a mutation's arguments and answer as soon as it is over: they may hold card or bank fields (C8). */
export function useForgotten({ isLoading, originalArgs, reset }: Mutation): void {
  const isOver = !isLoading && originalArgs !== undefined;
  useEffect(() => {
    if (isOver) reset();
  }, [isOver, reset]);
}
