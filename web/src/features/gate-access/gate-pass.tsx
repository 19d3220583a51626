import {
  type GateAccess,
  hoursLabel,
  keepAccessAdvice,
  lockedOutAdvice,
  payToOpenAdvice,
} from '@gatehouse/contract/gate-access';
import { formatDate } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { optionsOf } from '#api/base.ts';
import { gateAccessCalls } from '#api/gate-access.ts';
import { useGetUnitContentsQuery } from '#api/unit-contents.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icons.tsx';
import { LazyContent } from '#ui/lazy-content.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { accessState } from './access-state.ts';
import { gateRequest } from './gate-access-row.tsx';
import { HiddenCode } from './hidden-code.tsx';
import { StorageDrawing } from './storage-drawing.tsx';
import { storageKind } from './storage-kind.ts';
import { useGateAccess } from '#api/use-gate-access.ts';

const keepPass = lazyPart(() => import('./keep-pass.tsx'));

type Props = {
  ledgers: Ledger[];
  /** Whether the panels are covered: what changes meanwhile shows when they are in sight again. */
  isHeld: boolean;
  /** The rental that was paid last, whose panel comes into sight. */
  paidId: string | undefined;
};

/**
 * The first thing on My Units: a panel a rental with what it is, its code, or what opens the gate.
 * Open codes come first. Two or three are next to each other, or swiped on a phone; of more each is
 * one line.
 */
export function GatePass({ ledgers, isHeld, paidId }: Props) {
  const [isWhole, showWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button that was pressed is gone: what it showed continues where it was.
  useEffect(() => {
    if (isWhole) list.current?.querySelectorAll('li')[SHOWN_FIRST]?.focus();
  }, [isWhole]);
  useEffect(() => {
    const panel = list.current?.querySelector(`[data-ledger="${paidId}"]`);
    if (paidId !== undefined) panel?.scrollIntoView(nearest);
  }, [paidId]);
  const cache = useQueryClient();
  const gateOf = ({ unitId }: Ledger) =>
    cache.getQueryData<GateAccess>(optionsOf(gateAccessCalls.getUnitGateAccess, unitId).queryKey);
  const isOpen = (ledger: Ledger) => {
    const gate = gateOf(ledger);
    return gate ? Boolean(gate.accessCode ?? gate.needsConfirm) : ledger.balance <= 0;
  };
  // As it was at first: a gate that a payment opens turns in its place.
  const [open] = useState(() => ledgers.filter(isOpen).map(({ id }) => id));
  const rank = ({ id }: Ledger) => Number(open.includes(id));
  const isList = ledgers.length >= LEAST_LISTED;
  const lockedCount = ledgers.filter((ledger) => {
    const gate = gateOf(ledger);
    return gate && accessState(gate, ledger).endsWith('locked');
  }).length;
  const isCut = !isWhole && paidId === undefined && ledgers.length > SHOWN_FIRST;
  const keep = <LazyContent isQuiet part={keepPass} props={{ ledgers }} />;
  return (
    <section
      aria-label={t('Gate pass')}
      className={isList ? 'rounded-card border-t-4 border-accent on-pass px-3.25 py-2 sm:px-6' : ''}
    >
      <ul
        ref={list}
        data-lines={isList || undefined}
        // Where no pass has a control, the keyboard scrolls them sideways from here.
        tabIndex={isList || ledgers.length === 1 ? undefined : 0}
        className={
          isList
            ? `divide-y divide-line lg:grid lg:grid-cols-2 lg:gap-x-12 ${isCut ? 'not-print:*:nth-[n+13]:hidden' : ''}`
            : '-mx-4 flex gap-3 overflow-x-auto scroll-px-4 px-4 [scroll-snap-type:x_mandatory] [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0 print:mx-0 print:flex-wrap print:px-0'
        }
      >
        {ledgers
          .toSorted((a, b) => rank(b) - rank(a))
          .map((ledger, index) => (
            // Not pressed: it follows the focus of what is in it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={ledger.id}
              data-ledger={ledger.id}
              tabIndex={-1}
              // The browser leaves what it sees the edge of.
              onFocus={({ target, currentTarget }) =>
                target.matches(':focus-visible') && currentTarget.scrollIntoView(nearest)
              }
              className={
                isList
                  ? 'flex min-h-14 flex-wrap items-center gap-x-3 py-1 [&_button_svg]:hidden'
                  : `@container relative flex min-h-37 shrink-0 grow snap-start flex-col gap-2 rounded-card border-t-4 on-pass px-3.25 py-3 sm:w-80 sm:px-4 ${(paidId ? paidId === ledger.id : index === 0) ? 'border-accent' : 'border-transparent'} ${ledgers.length > 1 ? 'w-[calc(100%-1.25rem)]' : 'w-full'}`
              }
            >
              <Pass
                ledger={ledger}
                isHeld={isHeld}
                isLine={isList}
                place={
                  ledgers.length > 1 &&
                  t('{number} of {count}', { number: index + 1, count: ledgers.length })
                }
              >
                {index === 0 && keep}
              </Pass>
            </li>
          ))}
      </ul>
      {isList && (
        <div className="flex flex-wrap items-center gap-2 pt-2">
          {lockedCount > 0 && (
            <p className="mr-auto">{t('{count} locked out', { count: lockedCount })}</p>
          )}
          {isCut && (
            <Button variant="quiet" onClick={() => showWhole(true)}>
              {t('Show all {count} gate passes', { count: ledgers.length })}
            </Button>
          )}
          {keep}
        </div>
      )}
    </section>
  );
}

const nearest: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest' };

/** From LEAST_LISTED on each is one line; these show at first, on paper all. */
const LEAST_LISTED = 4;
const SHOWN_FIRST = 12;

/** Of the height of a panel. */
export function GatePassLoading() {
  return <Skeleton className="h-37" />;
}

/** What a panel shows: a rental's access as it was then, and what was owed before it opened. */
type Shown = { ledger: Ledger; gate: GateAccess; wasOwed?: number };

/**
 * The access of a rental as it is in sight: held while the panel is covered or is being asked for,
 * so that a gate that a payment opens turns before the tenant's eyes.
 */
function useShown(ledger: Ledger, isHeld: boolean) {
  const load = useGateAccess(ledger);
  const { data: gate, error } = load;
  const [shown, show] = useState<Shown>();
  const isNew = gate !== undefined && (shown?.gate !== gate || shown.ledger !== ledger);
  if (isNew && (!isHeld || shown === undefined)) {
    const state = accessState(gate, ledger);
    const isOpening = shown && accessState(shown.gate, shown.ledger) === 'locked';
    const wasOwed = isOpening ? shown.ledger.balance : shown?.wasOwed;
    show({ ledger, gate, ...(state === 'open' && wasOwed !== undefined && { wasOwed }) });
  }
  const hasFailed = error !== undefined && gate === undefined && !isHeld;
  return { ...load, data: hasFailed ? undefined : shown };
}

type PassProps = {
  ledger: Ledger;
  isHeld: boolean;
  isLine: boolean;
  /** Which of several it is, where they are swiped. */
  place: ReactNode;
  /** What is for all passes, on the first one. */
  children: ReactNode;
};

/** What is in a panel, or on a line. */
function Pass({ ledger, isHeld, isLine, place, children }: PassProps) {
  const { unitName, unit } = ledger;
  const name = ledger.vehicle?.description || unitName;
  const isNamed = name !== unitName;
  const load = useShown(ledger, isHeld);
  const shown = load.data;
  const opened = shown?.wasOwed !== undefined ? shown.gate.accessCode : undefined;
  const isOpen = shown && accessState(shown.gate, shown.ledger) === 'open';
  const contents = useGetUnitContentsQuery(ledger.id).data;
  const kind = storageKind(ledger, contents && parseContents(contents.contents)?.type);
  return (
    <>
      <div className="flex flex-row-reverse items-center justify-between gap-3 in-data-lines:flex-1">
        {!isLine && <StorageDrawing kind={kind} />}
        <div className="min-w-0 flex-1">
          <p className="text-17 font-semibold wrap-anywhere">{isLine ? unitName : name}</p>
          <p
            className={`dots text-15 leading-tight text-muted ${isLine && !isOpen ? 'max-sm:hidden' : ''}`}
          >
            {isNamed && <span>{isLine ? name : unitName}</span>}{' '}
            {!(isNamed && isLine) && (
              <span>{`${unit.width} x ${unit.length} ${unit.typeName}`}</span>
            )}{' '}
            {!isLine && place && (
              <span aria-hidden="true" className="sm:hidden">
                {place}
              </span>
            )}
          </p>
        </div>
      </div>
      <div className={isLine ? 'contents' : 'flex flex-1 flex-col justify-between gap-2'}>
        <Loadable
          load={load}
          failure={t('The gate access could not be loaded.')}
          skeleton="h-10 w-32"
        >
          {(data) => <Access {...data} />}
        </Loadable>
      </div>
      {!isLine && (isOpen || children) && (
        <div className={`flex flex-wrap gap-2 ${isOpen ? 'min-h-11' : ''}`}>
          {children}
          {isOpen && <LazyContent isQuiet part={gateRequest} props={{ ledger, isOnPass: true }} />}
        </div>
      )}
      <p role="status" className="sr-only">
        {opened &&
          t('The gate is open. Gate code of {unit}: {code}', { unit: unitName, code: opened })}
      </p>
    </>
  );
}

function Access(shown: Shown) {
  const { ledger, gate } = shown;
  const { balance, daysPastDue, unitName } = ledger;
  switch (accessState(gate, ledger)) {
    case 'open':
      return <Open {...shown} />;
    case 'hidden':
      return <HiddenCode ledger={ledger} />;
    case 'waiting':
      return <Closed title={t('Not open yet')} sentence={gate.waitsForSettlement?.sentence} />;
    case 'overlocked':
      return <Closed title={t('Locked out')} sentence={lockedOutAdvice(daysPastDue, true)} />;
    case 'locked': {
      const sum = formatMoney(gate.opensFor ?? balance);
      return (
        <Closed
          title={t('Locked out')}
          sentence={`${lockedOutAdvice(daysPastDue)} ${payToOpenAdvice(daysPastDue, sum)}`}
        >
          <a
            href={`/billing-info?ledger=${ledger.id}`}
            className="flex min-h-11 items-center justify-center rounded-control border border-transparent bg-brand px-3 font-semibold text-(--pass)"
          >
            <span>
              <span>{t('Pay {sum}', { sum })}</span>
              <span className="sr-only">
                {' '}
                {t('for {unit} and open the gate', { unit: unitName })}
              </span>
            </span>
          </a>
        </Closed>
      );
    }
    case 'none':
      return <p>{t('No gate access data available')}</p>;
  }
}

/** The code of an open gate, its hours, and what is owed or has to be paid by when. */
function Open({ ledger, gate, wasOwed }: Shown) {
  const { balance, unitName } = ledger;
  return (
    <>
      <div className="relative flex flex-wrap items-center gap-x-3">
        {wasOwed !== undefined && <TurningLock />}
        <span className="sr-only">{t('Gate code')}</span>
        <span
          className={`text-40 leading-none font-semibold tracking-wide tabular-nums @max-[12rem]:text-24 in-data-lines:text-24 ${wasOwed === undefined ? '' : 'opened'}`}
        >
          {gate.accessCode}
        </span>
        <CopyButton
          text={gate.accessCode ?? ''}
          label={t('Copy the gate code of {unit}', { unit: unitName })}
        />
      </div>
      <p className="dots -mr-1.5 text-15 leading-tight text-muted tabular-nums in-data-lines:hidden">
        <span className="text-(--pass-ink)">{hoursLabel(gate.timeZone)}</span>{' '}
        {!gate.payBy && (
          <span>
            <span className="relative inline-block">
              {wasOwed !== undefined && (
                <span aria-hidden="true" className="turned whitespace-nowrap">
                  {t('Balance {sum}', { sum: formatMoney(wasOwed) })}
                </span>
              )}
              <span className={wasOwed === undefined ? '' : 'opened'}>
                {t('Balance {sum}', { sum: formatMoney(balance) })}
              </span>
            </span>
          </span>
        )}
      </p>
      {gate.payBy && (
        <p className="basis-full text-15 leading-tight text-muted tabular-nums in-data-lines:pb-1">
          <span>
            {keepAccessAdvice(formatMoney(gate.payBy.amount), formatDate(gate.payBy.date))}
          </span>
        </p>
      )}
    </>
  );
}

/** The lock of a gate that was just opened: it turns, and makes room for the code. */
function TurningLock() {
  return (
    <svg
      viewBox="0 0 24 24"
      className="turned size-8"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M5.5 10.5h13v10h-13zM12 14.5v2.5" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
    </svg>
  );
}

type ClosedProps = {
  title: string;
  sentence: string | undefined;
  /** What opens it. */
  children?: ReactNode;
};

function Closed({ title, sentence, children }: ClosedProps) {
  return (
    <>
      <div className="min-w-0 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 text-20 font-semibold in-data-lines:text-15 @min-[18rem]:text-24 @max-[12rem]:text-17">
          <Icon name="lock" />
          <span>{title}</span>
        </p>
        <p className="leading-tight max-sm:text-15 in-data-lines:hidden">{sentence}</p>
      </div>
      {children}
    </>
  );
}
