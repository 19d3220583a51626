import type { Autopay } from '@gatehouse/contract/autopay';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { useEffect } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Confirming } from './confirming.tsx';
import { Done } from './done.tsx';
import { MethodFormView } from './method-form-view.tsx';
import { PaymentApplied } from './payment-applied.tsx';
import { savedMethods } from './saved-methods.ts';
import { useSubmission } from './use-submission.ts';

export type FlowProps = {
  ledger: Ledger;
  /** Every rental of the tenant record, the current one among them. */
  ledgers: Ledger[];
  autopays: Autopay[];
  verb: 'Setup' | 'Update';
  onClose: () => void;
  onBusy: (isBusy: boolean) => void;
};

/** What the payment method dialog holds; a chunk of its own, because of the forms library. */
export default function PaymentMethodFlow(props: FlowProps) {
  const facility = useGetFacilityQuery();
  return (
    <Loadable load={facility} failure="The facility information could not be loaded." skeleton="h-96 w-full">
      {(loaded) => <Flow facility={loaded} {...props} />}
    </Loadable>
  );
}

function Flow({ facility, ledger, ledgers, autopays, verb, onClose, onBusy }: FlowProps & { facility: Facility }) {
  const today = calendarDateIn(facility.timeZone, new Date());
  const { phase, paid, isBusy, submit, tryAgain, saveLeft } = useSubmission({
    tenantId: ledger.tenantId,
    ledgers,
    autopays,
    today,
  });
  useEffect(() => onBusy(isBusy), [isBusy, onBusy]);

  if (phase.kind === 'done') return <Done paid={paid} ledgers={ledgers} onClose={onClose} />;

  const left = phase.kind === 'unsaved' ? ledgers.filter(({ id }) => phase.left.includes(id)) : null;
  const outcome = (
    <>
      {paid && <PaymentApplied paid={paid} ledgers={ledgers} />}
      {phase.kind === 'unsaved' && (
        <Alert tone="bad" focus>
          {`Autopay could not be saved for ${left?.map(({ unitName }) => unitName).join(', ')}. ${phase.message}`}
        </Alert>
      )}
      {phase.kind === 'fill' && phase.error !== null && (
        <Alert tone="bad" focus>
          {phase.error}
        </Alert>
      )}
    </>
  );

  if (phase.kind === 'unsaved' && phase.saved !== null) {
    const { left: ledgerIds, saved } = phase;
    return (
      <div className="flex flex-col gap-4">
        {outcome}
        <DialogActions>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            Close
          </Button>
          <Button busy={isBusy} onClick={() => void saveLeft(ledgerIds, saved)}>
            Try again
          </Button>
        </DialogActions>
      </div>
    );
  }
  const isConfirming = phase.kind === 'confirming';
  return (
    <>
      {isConfirming && (
        <Confirming isGivenUp={phase.isGivenUp} isBusy={isBusy} onTryAgain={() => void tryAgain()} onClose={onClose} />
      )}
      {/* Kept while a payment is being confirmed, so that a refusal finds what was typed. */}
      <div hidden={isConfirming}>
        <MethodFormView
          facility={facility}
          current={ledger}
          others={ledgers.filter(({ id }) => id !== ledger.id)}
          left={paid ? left : null}
          saved={verb === 'Setup' ? savedMethods(autopays, today) : []}
          verb={verb}
          isBusy={isBusy}
          message={outcome}
          onSubmit={submit}
          onCancel={onClose}
        />
      </div>
    </>
  );
}
