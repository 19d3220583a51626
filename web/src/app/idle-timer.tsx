import { useEffect, useRef, useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { idleState, timeLeft } from './idle.ts';
import { signOut } from '#api/sign-out.ts';
import { getSession } from '#session/session.ts';
import { whenIdle } from './when-idle.ts';

const warning = lazyPart(() => import('./idle-warning.tsx'));

const signsOfLife = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/**
 * Warns a visitor who is away and signs out in the end. A sign of life in one tab counts for all. A
 * kept session is neither warned nor signed out: its page is loaded anew where it is in sight after
 * that time, so that nothing typed is left and nothing shown is old, the portal's code included.
 */
export function IdleTimer() {
  const [left, setLeft] = useState<string | null>(null);
  const lastSeen = useRef(0);
  const tabs = useRef<BroadcastChannel>(null);
  const { refetch } = useGetFacilityQuery();

  // Without the network it must be here by then.
  useEffect(() => whenIdle(warning.fetchAhead), []);
  useEffect(() => {
    lastSeen.current = Date.now();
    const isKept = getSession()?.isKept;
    const channel = new BroadcastChannel('gatehouse-idle');
    tabs.current = channel;
    channel.onmessage = ({ data }) => {
      lastSeen.current = Math.max(lastSeen.current, Number(data) || 0);
      look();
    };

    function look() {
      const state = idleState(lastSeen.current, Date.now());
      if (isKept) {
        if (state === 'ended' && !document.hidden && navigator.onLine) location.reload();
      } else if (state === 'ended') signOut('idle');
      else setLeft(state === 'warned' ? timeLeft(lastSeen.current, Date.now()) : null);
    }
    // Once warned, only the dialog's button counts: its question must be answered.
    function seen() {
      const now = Date.now();
      const state = idleState(lastSeen.current, now);
      if (state === 'ended' || (state === 'warned' && !isKept)) return;
      if (now - lastSeen.current > 5000) channel.postMessage(now);
      lastSeen.current = now;
    }
    const timer = setInterval(look, 1000);
    document.addEventListener('visibilitychange', look);
    for (const sign of signsOfLife) addEventListener(sign, seen, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      for (const sign of signsOfLife) removeEventListener(sign, seen, { capture: true });
      channel.close();
    };
  }, []);

  function stay() {
    lastSeen.current = Date.now();
    tabs.current?.postMessage(lastSeen.current);
    setLeft(null);
    // Any call renews the session on the server.
    void refetch();
  }

  if (left === null) return null;
  return (
    <LazyContent
      part={warning}
      props={{ left, onStay: stay, onLeave: () => signOut() }}
      skeleton={null}
    />
  );
}
