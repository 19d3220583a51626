import type { Ledger } from '@gatehouse/contract/ledgers';
import { Chip } from '#ui/chip.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Icon } from '#ui/icons.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { itemsNeedingAttention, type RentalCheck } from './rental-checks.ts';
import { useRentalChecks } from './use-rental-checks.ts';

/**
 * What a rental still needs: a line with the count, opened the six checks (spec section 2, Rental
 * Notifications).
 */
export function RentalNotifications({
  ledger,
  ledgerIds,
}: {
  ledger: Ledger;
  ledgerIds: string[];
}) {
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
              {/* Read out as a sentence; the text is the specification's. */}
              <span>
                {count} Item<span aria-hidden={count === 1}>s</span> Needing Attention
              </span>
            </Chip>
          )}
          {!isLoading && checks.some(({ state }) => state === 'unknown') && (
            <span className="text-15 text-muted">Some items could not be checked</span>
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
        {wording}
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
      <span className="text-muted">{wording} could not be checked</span>
    </>
  );
}
