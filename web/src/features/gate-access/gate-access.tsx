import {
  type GateAccess as Gate,
  hoursLabel,
  keepAccessAdvice,
} from '@gatehouse/contract/gate-access';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { lockedOutWords } from './access-state.ts';
import { HiddenCode } from './hidden-code.tsx';
import { useGateAccess } from '#api/use-gate-access.ts';

/** The gate code of a rental large, with its hours, or why there is none; after a payment. */
export function GateAccess({ ledger }: { ledger: Ledger }) {
  return (
    <Loadable
      load={useGateAccess(ledger)}
      failure={t('The gate access could not be loaded.')}
      skeleton="h-16 w-48 max-w-full"
    >
      {({ accessCode, timeZone, payBy, ...gate }) =>
        gate.needsConfirm ? (
          <HiddenCode ledger={ledger} />
        ) : accessCode === undefined ? (
          <WithoutCode ledger={ledger} gate={gate} />
        ) : (
          <>
            <p className="text-15 text-muted">{t('Gate code')}</p>
            <div className="-mr-3 flex flex-wrap items-center justify-between gap-x-2">
              <span className="text-32 font-semibold tracking-wide tabular-nums">{accessCode}</span>
              <CopyButton
                text={accessCode}
                label={t('Copy the gate code of {unit}', { unit: ledger.unitName })}
              />
            </div>
            <p className="text-15 font-normal text-muted">{hoursLabel(timeZone)}</p>
            {payBy !== undefined && (
              <p className="text-15 text-bad">
                {keepAccessAdvice(formatMoney(payBy.amount), formatDate(payBy.date))}
              </p>
            )}
          </>
        )
      }
    </Loadable>
  );
}

/** Locked out and what to do, what the gate waits for, or that there is no code. */
function WithoutCode({
  ledger,
  gate: { isOverlocked, opensFor, waitsForSettlement },
}: {
  ledger: Ledger;
  gate: Pick<Gate, 'isOverlocked' | 'opensFor' | 'waitsForSettlement'>;
}) {
  if (!waitsForSettlement && !isOverlocked && ledger.balance <= 0)
    return <p>{t('No gate access data available')}</p>;
  return (
    <div
      className={`flex items-start gap-2 rounded-control px-3 py-2 text-left ${waitsForSettlement ? 'bg-warn-soft text-warn' : 'bg-bad-soft text-bad'}`}
    >
      <Icon name="lock" />
      <div>
        {!waitsForSettlement && <p className="font-semibold">{t('Locked out')}</p>}
        <p className="font-normal">
          {waitsForSettlement?.sentence ?? lockedOutWords(ledger, { isOverlocked, opensFor })}
        </p>
      </div>
    </div>
  );
}
