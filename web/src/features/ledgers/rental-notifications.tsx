import type { Ledger } from '@gatehouse/contract/ledgers';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Icon } from '#ui/icons.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { itemsNeedingAttention, type RentalCheck } from './rental-checks.ts';
import { useRentalChecks } from './use-rental-checks.ts';

/** These show at first, of more than MOST_SHOWN rentals; on paper all do. */
const SHOWN_FIRST = 6;
const MOST_SHOWN = 8;

/**
 * What each rental still needs, in the order of `ledgers`. Where there are many, the first ones,
 * and a button for all. `ledgerIds` are in the order of the first read, which is the key of its
 * cached answer.
 */
export function RentalNotifications({
  ledgers,
  ledgerIds,
}: {
  ledgers: Ledger[];
  ledgerIds: string[];
}) {
  const [isWhole, showWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: what it showed continues where it was.
  useEffect(() => {
    if (isWhole) list.current?.children.item(SHOWN_FIRST)?.querySelector('summary')?.focus();
  }, [isWhole]);
  const isCut = !isWhole && ledgers.length > MOST_SHOWN;
  return (
    <>
      <div
        ref={list}
        className={`-my-2 divide-y divide-line ${ledgers.length > 4 ? 'lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-12' : ''} ${isCut ? 'not-print:*:nth-[n+7]:hidden' : ''}`}
      >
        {ledgers.map((ledger) => (
          <RentalNotification key={ledger.id} ledger={ledger} ledgerIds={ledgerIds} />
        ))}
      </div>
      {isCut && (
        <Button variant="quiet" className="mt-2 -mb-2 -ml-3" onClick={() => showWhole(true)}>
          {t('Show all {count} rentals', { count: ledgers.length })}
        </Button>
      )}
    </>
  );
}

/** A line with the count of what a rental needs, opened the six checks. */
function RentalNotification({ ledger, ledgerIds }: { ledger: Ledger; ledgerIds: string[] }) {
  const { checks, isLoading } = useRentalChecks(ledger, ledgerIds);
  const count = itemsNeedingAttention(checks);
  return (
    <Disclosure
      summary={
        <>
          <span className="min-w-0 font-medium break-words">{ledger.unitName}</span>
          {isLoading ? (
            <Skeleton className="h-6 w-48" />
          ) : (
            <Chip tone={count > 0 ? 'bad' : 'good'}>
              {count === 0 && <Icon name="check" className="size-4" />}
              <span>
                {t(
                  '{count, plural, one {# Item Needing Attention} other {# Items Needing Attention}}',
                  {
                    count,
                  },
                )}
              </span>
            </Chip>
          )}
          {!isLoading && checks.some(({ state }) => state === 'unknown') && (
            <span className="text-15 text-muted">{t('Some items could not be checked')}</span>
          )}
        </>
      }
    >
      <ul className="grid gap-x-6 sm:grid-cols-2">
        {checks.map((check) => (
          <li key={check.key} className="flex min-h-11 items-center gap-2">
            <Check check={check} isLoading={isLoading} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Check({
  check: { state, wording, to },
  isLoading,
}: {
  check: RentalCheck;
  isLoading: boolean;
}) {
  if (state === 'done') {
    return (
      <>
        <Icon name="check-circle" className="size-5 text-good" />
        <span>{wording}</span>
      </>
    );
  }
  if (state === 'pending') {
    return (
      <>
        <Icon name="alert" className="size-5 text-bad" />
        <a
          href={to}
          className="inline-flex min-h-11 items-center font-medium text-bad underline underline-offset-2"
        >
          {wording}
        </a>
      </>
    );
  }
  if (isLoading) return <Skeleton className="h-5 w-56" />;
  return (
    <>
      <Icon name="info" className="size-5 text-muted" />
      <span className="text-muted">
        {t('{subject} could not be checked', { subject: wording })}
      </span>
    </>
  );
}
