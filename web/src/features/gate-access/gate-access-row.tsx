import {
  HAS_24_HOUR_ACCESS,
  hoursLabel,
  keepAccessAdvice,
  mayRequest24HourAccess,
} from '@gatehouse/contract/gate-access';
import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { Fact } from '#ui/facts.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { accessState, lockedOutWords } from './access-state.ts';
import { HiddenCode } from './hidden-code.tsx';
import { useGateAccess } from '#api/use-gate-access.ts';

export const gateRequest = lazyPart(() => import('./gate-request-open.tsx'));

/** The gate code and hours of a rental, or that it is locked out and what to do. */
export function GateAccessRow({ ledger }: { ledger: Ledger }) {
  const { timeZoneId } = ledger;
  const load = useGateAccess(ledger);
  // A tenant who asked is not invited to ask again.
  const [isAsked, setAsked] = useState(false);
  const state = load.data && accessState(load.data, ledger);
  // It is of no use where the gate is closed, a tenant with 24-hour access has nothing to ask for,
  // and one thing is asked at a time.
  const isOffered =
    state === 'open' && mayRequest24HourAccess(timeZoneId) && timeZoneId !== HAS_24_HOUR_ACCESS;
  return (
    <Fact
      label={t('Gate Access')}
      state={state === undefined ? 'none' : marks[state]}
      action={
        isOffered && !isAsked && <LazyContent isQuiet part={gateRequest} props={{ ledger }} />
      }
      pending={
        isOffered && (
          <LazyContent isQuiet part={gateRequest} props={{ ledger, onAsked: setAsked }} />
        )
      }
    >
      <Loadable load={load} failure={t('The gate access could not be loaded.')}>
        {({ accessCode, timeZone, payBy, isOverlocked, opensFor, waitsForSettlement }) => {
          if (waitsForSettlement)
            return <span className="font-normal text-warn">{waitsForSettlement.sentence}</span>;
          if (accessCode !== undefined)
            return (
              <>
                <span className="text-17 leading-none font-semibold tracking-wide tabular-nums">
                  {accessCode}
                </span>{' '}
                <span className="inline-block font-normal">{hoursLabel(timeZone)}</span>
                {payBy && (
                  <p className="font-normal text-bad">
                    {keepAccessAdvice(formatMoney(payBy.amount), formatDate(payBy.date))}
                  </p>
                )}
              </>
            );
          if (state === 'hidden') return <HiddenCode ledger={ledger} />;
          if (state === 'none') return <span>{t('No gate access data available')}</span>;
          return (
            <>
              <span>{t('Locked out')}</span>
              <span className="font-normal">{`\u00a0·\u00a0${lockedOutWords(ledger, { isOverlocked, opensFor })}`}</span>
            </>
          );
        }}
      </Loadable>
    </Fact>
  );
}

const marks = {
  open: 'done',
  hidden: 'none',
  waiting: 'none',
  locked: 'locked',
  overlocked: 'locked',
  none: 'none',
} as const;
