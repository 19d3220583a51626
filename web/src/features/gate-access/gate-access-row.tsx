import {
  HAS_24_HOUR_ACCESS,
  hoursLabel,
  keepAccessAdvice,
  lockedOutAdvice,
  mayRequest24HourAccess,
} from '@gatehouse/contract/gate-access';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { useGetUnitGateAccessQuery } from '#api/gate-access.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Fact } from '#ui/facts.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { GateRequestAction } from './gate-request-action.tsx';

/** The gate code and hours of a rental, or that it is locked out and what to do (spec section 4). */
export function GateAccessRow({ ledger }: { ledger: Ledger }) {
  const { timeZoneId } = ledger;
  // Who has 24-hour access already has nothing to ask for.
  const isOffered = mayRequest24HourAccess(timeZoneId) && timeZoneId !== HAS_24_HOUR_ACCESS;
  return (
    <Fact label="Gate Access">
      {/* Another balance may mean another access: it is asked for afresh. */}
      <GateAccess key={ledger.balance} ledger={ledger} />
      {isOffered && (
        <div className="-mr-3 -mb-2.5">
          <GateRequestAction ledger={ledger} />
        </div>
      )}
    </Fact>
  );
}

function WithoutCode({ ledger, isOverlocked }: { ledger: Ledger; isOverlocked: boolean | undefined }) {
  const { balance, daysPastDue } = ledger;
  if (isOverlocked || balance > 0) return <LockedOut advice={lockedOutAdvice(daysPastDue, isOverlocked)} />;
  return <p>No gate access data available</p>;
}

function LockedOut({ advice }: { advice: string }) {
  return (
    <div className="flex items-start gap-2 rounded-control bg-bad-soft px-3 py-2 text-left text-bad">
      <Icon name="lock" />
      <div>
        <p className="font-semibold">Locked out</p>
        <p className="font-normal text-balance">{advice}</p>
      </div>
    </div>
  );
}

/**
 * The server decides whether the unit is locked out. It is asked afresh whenever the balance is another one, since a payment
 * invalidates the ledgers but not the gate (spec section 4, cache tags).
 */
function GateAccess({ ledger }: { ledger: Ledger }) {
  const { data, ...load } = useGetUnitGateAccessQuery(ledger.unitId, { refetchOnMountOrArgChange: true });
  // Of an earlier balance: the code may be there by now.
  const isOld = load.isFetching && data?.accessCode === undefined;
  return (
    <Loadable
      load={{ ...load, data: isOld ? undefined : data }}
      failure="The gate access could not be loaded."
      skeleton="h-16 w-48"
    >
      {({ accessCode, timeZone, isOverlocked, payBy }) =>
        accessCode === undefined ? (
          <WithoutCode ledger={ledger} isOverlocked={isOverlocked} />
        ) : (
          <>
            <div className="-mr-3 flex flex-wrap items-center justify-end gap-x-2 @max-[17.5rem]:justify-start">
              <span className="text-32 font-semibold tracking-widest tabular-nums max-sm:mr-3">{accessCode}</span>
              <CopyButton text={accessCode} label={`Copy the gate code of ${ledger.unitName}`} />
            </div>
            <p className="text-13 font-normal text-balance text-muted">{hoursLabel(timeZone)}</p>
            {payBy !== undefined && (
              <p className="text-13 text-balance text-bad">
                {keepAccessAdvice(formatMoney(payBy.amount), formatDate(payBy.date))}
              </p>
            )}
          </>
        )
      }
    </Loadable>
  );
}
