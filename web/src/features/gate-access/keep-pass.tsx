import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
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
 * answer about the gate: a lock-out takes its code away. A button, and below it what it does.
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
  const panelId = useId();
  useEffect(() => {
    if (canKeepPass()) void isPassKept().then(setIsKept);
  }, []);
  useEffect(() => {
    if (!isKept || pass === undefined) return;
    void renewPass(tenantId, pass).catch(() => {});
  }, [isKept, tenantId, pass]);
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
    await removeOfflinePage();
  }

  // Where no gate is open there is nothing to keep.
  if (isKept === undefined || (!isKept && !pass)) return null;
  const kept = isOpen && pass ? keptUntil(pass) : t('Kept on this phone');
  return (
    <>
      <Button
        variant="quiet"
        icon={isKept ? 'check' : 'download'}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-3"
      >
        {isKept ? kept : t('Keep on this phone')}
      </Button>
      <div id={panelId} hidden={!isOpen} className="basis-full pb-3">
        {/* The button shows it. */}
        <p role="status" className={pass ? 'sr-only' : ''}>
          {isKept && keptUntil(pass)}
        </p>
        <p className="text-15 leading-tight text-muted">
          {t(
            'Code and hours open on this phone without a connection, for seven days or until your next payment is due. Whoever holds this phone unlocked can read them.',
          )}
        </p>
        {phase === 'failed' && (
          <Alert tone="bad">
            {t('The gate pass could not be kept. Check your connection and try again.')}
          </Alert>
        )}
        <p className="mt-1">
          {isKept ? (
            <Button key="remove" variant="quiet" className="-mx-3" onClick={() => void remove()}>
              {t('Remove from this phone')}
            </Button>
          ) : (
            <Button
              key="keep"
              variant="secondary"
              busy={phase === 'keeping'}
              onClick={() => void keep()}
            >
              {t('Keep gate pass')}
            </Button>
          )}
        </p>
      </div>
    </>
  );
}

function keptUntil(pass: KeptPass | null | undefined): string {
  if (!pass) return t('No gate is open: nothing is kept on this phone.');
  return t('Kept on this phone until {date}.', { date: formatDate(lastDayOf(pass)) });
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
