import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Session } from '#session/session.ts';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** A read that a page starts with; settles with its answer. */
export type FirstRead = (dispatch: Dispatch) => PromiseLike<unknown>;

/**
 * What a screen reads first, in the order in which it shows it: reads that need a session and
 * nothing that another read answers. They are sent before the screen's code is loaded.
 */
export type FirstReads = (session: Session) => FirstRead[];

/** The first read of a query of this folder, as the screen's hook will ask for it. */
export function firstRead<Arg>(
  endpoint: {
    initiate: (
      arg: Arg,
      options: { subscribe: false },
    ) => ThunkAction<PromiseLike<unknown>, unknown, unknown, UnknownAction>;
  },
  arg: Arg,
): FirstRead {
  // The screen subscribes to it; until then the cache keeps it.
  return (dispatch) => dispatch(endpoint.initiate(arg, { subscribe: false }));
}
