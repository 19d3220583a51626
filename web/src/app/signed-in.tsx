import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { beginCache, releaseCache } from './first-reads.ts';
import { notePayment } from '#api/sent-payment.ts';
import { IdleTimer } from './idle-timer.tsx';
import { Layout } from './layout.tsx';

/**
 * The signed-in part of the app. Remounted for every session, and leaves no data in memory behind.
 */
export default function SignedIn({ children }: { children?: ReactNode }) {
  const [cache] = useState(beginCache);
  useLayoutEffect(() => {
    releaseCache();
    notePayment(null);
    return () => cache.clear();
  }, [cache]);
  return (
    <QueryClientProvider client={cache}>
      <Layout>{children}</Layout>
      <IdleTimer />
    </QueryClientProvider>
  );
}
