import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { optionsOf, type Query } from '#api/base.ts';
import { facilityCalls } from '#api/facilities.ts';
import { gateAccessCalls } from '#api/gate-access.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { forgetPass } from '#session/kept-pass.ts';
import { getSession } from '#session/session.ts';
import { type KeptPass, passOf } from './kept-pass.ts';
import { installOfflinePage, removeOfflinePage } from './offline-page.ts';
import { canKeepPass, isPassKept, keepPass, renewPass } from './pass-store.ts';

/** The rentals of one tenant record, at least one. */
type Props = { ledgers: Ledger[] };

/**
 * Keeps the gate pass on this phone where the tenant says so, and renews what is kept with every
 * answer about the gate: a lock-out takes its code away. A button, and in its place what it does.
 */
export default function KeepPass({ ledgers }: Props) {
  const { tenantId } = ledgers[0]!;
  // Another record begins anew: its pass is not that of the last one.
  return <OfRecord key={tenantId} tenantId={tenantId} ledgers={ledgers} />;
}

function OfRecord({ tenantId, ledgers }: Props & { tenantId: string }) {
  const [isKept, setIsKept] = useState<boolean>();
  const [isOpen, setIsOpen] = useState(false);
  const [phase, setPhase] = useState<'idle' | 'keeping' | 'failed'>('idle');
  const pass = useCurrentPass(ledgers);
  const opener = useRef<HTMLButtonElement>(null);
  const keeper = useRef<HTMLButtonElement>(null);
  const said = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (canKeepPass()) void isPassKept().then(setIsKept);
  }, []);
  useEffect(() => {
    if (!isKept || pass === undefined) return;
    void renewPass(tenantId, pass).catch(() => {});
  }, [isKept, tenantId, pass]);
  // The button that was pressed is gone: the focus goes to what took its place.
  useEffect(() => {
    if (isOpen) (keeper.current ?? said.current)?.focus();
  }, [isOpen, isKept]);
  // A new version of the page that opens it is fetched while there is a connection.
  useEffect(() => {
    if (isKept) installOfflinePage().catch(() => {});
  }, [isKept]);

  async function keep() {
    if (!pass) return;
    const session = getSession();
    setPhase('keeping');
    try {
      await installOfflinePage();
      // That may take long: who logged out meanwhile keeps nothing.
      if (getSession() !== session) return;
      await keepPass(tenantId, pass);
      setIsKept(true);
      setPhase('idle');
    } catch {
      setPhase('failed');
    }
  }
  async function remove() {
    forgetPass();
    setIsKept(false);
    setIsOpen(false);
    await removeOfflinePage();
  }

  function decline() {
    flushSync(() => setIsOpen(false));
    opener.current?.focus();
  }

  // Where no gate is open there is nothing to keep.
  if (isKept === undefined || (!isKept && !pass)) return null;
  if (isKept)
    return (
      <p className="flex min-h-11 basis-full flex-wrap items-center justify-between gap-2 text-15">
        <span role="status" ref={said} tabIndex={-1}>
          {pass !== undefined && keptUntil(pass)}
        </span>
        <Button variant="quiet" onClick={() => void remove()}>
          {t('Remove')}
          <span className="sr-only"> {t('from this phone')}</span>
        </Button>
      </p>
    );
  if (!isOpen)
    return (
      <Button ref={opener} variant="quiet" onClick={() => setIsOpen(true)}>
        {t('Keep on this phone')}
      </Button>
    );
  return (
    <div className="flex basis-full flex-col items-start gap-3 text-16">
      <p>
        {t(
          'Code and hours open on this phone without a connection, for seven days or until your next payment is due. Whoever holds this phone unlocked can read them.',
        )}
      </p>
      {phase === 'failed' && (
        <Alert tone="bad">
          {t('The gate pass could not be kept. Check your connection and try again.')}
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button ref={keeper} busy={phase === 'keeping'} onClick={() => void keep()}>
          {t('Keep gate pass')}
        </Button>
        <Button variant="quiet" onClick={decline}>
          {t('Not now')}
        </Button>
      </div>
    </div>
  );
}

function keptUntil(pass: KeptPass | null): string {
  if (!pass) return t('No gate is open: nothing is kept on this phone.');
  return t('Kept on this phone until {date}', { date: formatDate(lastDayOf(pass)) });
}

/** The last day on which one of its rentals is shown. */
function lastDayOf({ rentals }: KeptPass): string {
  return rentals
    .map(({ endsOn }) => endsOn)
    .sort()
    .at(-1)!;
}

/**
 * The pass of what the page has been answered so far, null where no gate is open; undefined until
 * all of it is there. The gate pass asks; this takes the answers from the cache.
 */
function useCurrentPass(ledgers: Ledger[]): KeptPass | null | undefined {
  const cache = useQueryClient();
  const [pass, setPass] = useState<KeptPass | null>();
  useEffect(() => {
    function read() {
      const facility = answerOf(cache, facilityCalls.getFacility, undefined);
      const rentals = ledgers.flatMap((ledger) => {
        const gate = answerOf(cache, gateAccessCalls.getUnitGateAccess, ledger.unitId);
        return gate === undefined ? [] : [{ ledger, gate }];
      });
      if (facility === undefined || rentals.length < ledgers.length) return;
      const found = passOf(facility, rentals, Date.now());
      setPass((last) => (last !== undefined && isSame(last, found) ? last : found));
    }
    read();
    return cache.getQueryCache().subscribe(({ type }) => type === 'updated' && read());
  }, [cache, ledgers]);
  return pass;
}

/** Whether two passes say the same, whenever they were made. */
function isSame(one: KeptPass | null, other: KeptPass | null): boolean {
  const [first, second] = [one, other].map((pass) => JSON.stringify({ ...pass, asOf: 0 }));
  return first === second;
}

function answerOf<Arg, Data>(
  cache: QueryClient,
  call: Query<Arg, Data>,
  arg: Arg,
): Data | undefined {
  return cache.getQueryData<Data>(optionsOf(call, arg).queryKey);
}
