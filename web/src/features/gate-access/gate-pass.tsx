import {
  CALL_FACILITY_DAYS,
  type GateAccess,
  hoursLabel,
  keepAccessAdvice,
  lockedOutAdvice,
  payToOpenAdvice,
} from '@gatehouse/contract/gate-access';
import { formatDate } from '@gatehouse/contract/dates';
import { type Ledger, nextChargeDate } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { useGetUnitContentsQuery } from '#api/unit-contents.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { accessState } from './access-state.ts';
import { HiddenCode } from './hidden-code.tsx';
import { StorageDrawing } from './storage-drawing.tsx';
import { storageKind } from './storage-kind.ts';
import { useGateAccess } from './use-gate-access.ts';

type Props = {
  ledgers: Ledger[];
  /** Whether the panels are covered: what changes meanwhile shows when they are in sight again. */
  isHeld: boolean;
  /** The rental that was paid last, whose panel comes into sight. */
  paidId: string | undefined;
};

/**
 * The first thing on My Units: a panel a rental with what it is, its code, or what opens the gate.
 * Several are side by side; more than there is room for are swiped, and on a desktop, where nothing
 * is swiped, a button shows all.
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
    if (paidId !== undefined) panel?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [paidId]);
  const isCut = !isWhole && ledgers.length > MOST_SHOWN;
  return (
    <section aria-label={t('Gate pass')}>
      <ul
        ref={list}
        className={`-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 sm:gap-4 max-sm:[scrollbar-width:none] print:mx-0 print:flex-wrap print:px-0 ${row(ledgers.length)} ${isCut ? 'not-print:lg:*:nth-[n+7]:hidden' : ''}`}
      >
        {ledgers.map((ledger) => (
          <li
            key={ledger.id}
            data-ledger={ledger.id}
            tabIndex={-1}
            className={`relative flex shrink-0 grow snap-start ${panelWidth(ledgers.length)} ${ledgers.length > 1 ? 'w-[calc(100%-1.75rem)]' : 'w-full'}`}
          >
            <Panel ledger={ledger} isHeld={isHeld} />
          </li>
        ))}
      </ul>
      {isCut && (
        <Button
          variant="quiet"
          className="mt-2 -ml-3 max-lg:hidden"
          onClick={() => showWhole(true)}
        >
          {t('Show all {count} gate passes', { count: ledgers.length })}
        </Button>
      )}
    </section>
  );
}

/** These show at first on a desktop, of more than MOST_SHOWN. */
const SHOWN_FIRST = 6;
const MOST_SHOWN = 9;

/** Rows without a hole: four panels in two, more in threes on desktops. */
function row(count: number): string {
  if (count <= 4) return 'sm:mx-0 sm:flex-wrap sm:px-0';
  return 'lg:mx-0 lg:flex-wrap lg:px-0';
}

function panelWidth(count: number): string {
  return count === 4 ? 'sm:w-88' : 'sm:w-80';
}

/** Of the height of a panel. */
export function GatePassLoading() {
  return <Skeleton className="h-36 sm:h-42" />;
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
  return { load: { ...load, data: hasFailed ? undefined : shown } };
}

function Panel({ ledger, isHeld }: { ledger: Ledger; isHeld: boolean }) {
  const { unitName, unit, vehicle } = ledger;
  const { load } = useShown(ledger, isHeld);
  const opened = load.data?.wasOwed !== undefined ? load.data.gate.accessCode : undefined;
  const contents = useGetUnitContentsQuery(ledger.id).data;
  const kind = storageKind(ledger, contents && parseContents(contents.contents)?.type);
  const size = `${unit.width} x ${unit.length} ${unit.typeName}`;
  return (
    <div className="@container flex min-h-36 w-full flex-col rounded-card border-t-4 border-accent on-pass px-3.25 py-2 sm:min-h-42 sm:px-6 sm:py-4">
      <div className="flex flex-row-reverse items-center justify-between gap-3">
        <StorageDrawing kind={kind} />
        <div className="min-w-0 flex-1">
          <p className="text-17 font-semibold wrap-anywhere">{vehicle?.description ?? unitName}</p>
          <p className="text-15 leading-tight text-muted">
            {vehicle === null ? size : `${unitName} · ${size}`}
          </p>
        </div>
      </div>
      <div className="flex flex-1 flex-col justify-between">
        <Loadable
          load={load}
          failure={t('The gate access could not be loaded.')}
          skeleton="h-16 w-48"
        >
          {(shown) => <Access {...shown} />}
        </Loadable>
      </div>
      <p role="status" className="sr-only">
        {opened &&
          t('The gate is open. Gate code of {unit}: {code}', { unit: unitName, code: opened })}
      </p>
    </div>
  );
}

function Access({ ledger, gate, wasOwed }: Shown) {
  const { balance, daysPastDue, paidThrough, unitName } = ledger;
  const why = balance > 0 && t('Paid Through: {date}', { date: formatDate(paidThrough) });
  switch (accessState(gate, ledger)) {
    case 'open':
      return (
        <>
          <div className="relative -mr-3 flex flex-wrap items-center gap-x-3">
            {wasOwed !== undefined && <TurningLock />}
            <span
              className={`text-40 leading-none font-semibold tracking-wide tabular-nums @max-[12rem]:text-24 ${wasOwed === undefined ? '' : 'opened'}`}
            >
              {gate.accessCode}
            </span>
            <CopyButton
              text={gate.accessCode ?? ''}
              label={t('Copy the gate code of {unit}', { unit: unitName })}
            />
          </div>
          <p className="leading-tight">{hoursLabel(gate.timeZone)}</p>
          <p className="text-15 leading-tight text-muted tabular-nums">
            {gate.payBy ? (
              keepAccessAdvice(formatMoney(gate.payBy.amount), formatDate(gate.payBy.date))
            ) : (
              <>
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
                <span className="@max-[24rem]:hidden"> · </span>
                <span className="whitespace-nowrap @max-[24rem]:block">
                  {t('Next Charge: {date}', { date: formatDate(nextChargeDate(paidThrough)) })}
                </span>
              </>
            )}
          </p>
        </>
      );
    case 'hidden':
      return <HiddenCode ledger={ledger} />;
    case 'waiting':
      return <Closed title={t('Not open yet')} sentence={gate.waitsForSettlement?.sentence} />;
    case 'overlocked':
      return (
        <Closed title={t('Locked out')} sentence={lockedOutAdvice(daysPastDue, true)} why={why} />
      );
    case 'locked':
      return (
        <div className="flex flex-1 items-end justify-between gap-x-3 @max-[12rem]:flex-wrap">
          <Closed
            title={t('Locked out')}
            sentence={`${lockedOutAdvice(daysPastDue)} ${payToOpenAdvice(daysPastDue, formatMoney(gate.opensFor ?? balance))}`}
            // The longer sentence takes its place; the rental's card has it too.
            why={daysPastDue < CALL_FACILITY_DAYS && why}
          />
          <a
            href={`/billing-info?ledger=${ledger.id}`}
            className="flex min-h-11 items-center justify-center rounded-control border border-transparent bg-accent px-4 font-semibold text-accent-ink"
          >
            <span>
              {t('Pay')}
              <span className="sr-only">
                {' '}
                {t('for {unit} and open the gate', { unit: unitName })}
              </span>
            </span>
          </a>
        </div>
      );
    case 'none':
      return <p>{t('No gate access data available')}</p>;
  }
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
      <path d="M6.5 10.5h11a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1ZM12 14.5v2.5" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
    </svg>
  );
}

type ClosedProps = { title: string; sentence: string | undefined; why?: string | false };

function Closed({ title, sentence, why }: ClosedProps) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-2 text-20 font-semibold @min-[15rem]:text-24 @max-[12rem]:text-17">
        <Icon name="lock" />
        <span>{title}</span>
      </p>
      <p className="leading-tight max-sm:text-15">{sentence}</p>
      {why && <p className="text-15 leading-tight text-muted tabular-nums">{why}</p>}
    </div>
  );
}
