import { type ReactNode, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { api } from '#api/base.ts';
import { beginStore, releaseStore } from './first-reads.ts';
import { IdleTimer } from './idle-timer.tsx';
import { Layout } from './layout.tsx';

/**
 * The signed-in part of the app. Remounted for every session, and leaves no data in memory behind
 * (C5, C7).
 */
export default function SignedIn({ children }: { children?: ReactNode }) {
  const [{ store, prerendered }] = useState(beginStore);
  useEffect(() => {
    releaseStore();
    return () => void store.dispatch(api.util.resetApiState());
  }, [store]);
  return (
    // What the HTML was rendered from: answers may come before all of it is hydrated.
    <Provider store={store} serverState={prerendered}>
      <Layout>{children}</Layout>
      <IdleTimer />
    </Provider>
  );
}
