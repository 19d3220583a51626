import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { useListInsuranceCoveragesQuery } from '#api/insurance-plans.ts';
import { useOpenRequest } from '#api/requests.ts';
import { serverNow } from '#api/server-time.ts';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenRequest } from '#ui/reference.tsx';
import { InsuranceDone } from './insurance-done.tsx';
import { SelectInsurance } from './select-insurance.tsx';
import { useInsuranceSubmit } from './use-insurance-submit.ts';

export type InsuranceFlowProps = {
  ledger: Ledger;
  insurance: InsuranceStatus | null;
  /** Fetches what is on file again: it is no longer what the tenant saw. */
  onConflict: () => void;
};

type Props = InsuranceFlowProps & FormDialogProps;

/**
 * What the insurance / protection plan dialog holds; a chunk of its own, because of the forms
 * library.
 */
export default function InsuranceFlow(props: Props) {
  const facility = useGetFacilityQuery();
  const plans = useListInsuranceCoveragesQuery();
  return (
    <Loadable
      load={facility}
      failure={t('The facility information could not be loaded.')}
      skeleton="h-96 w-full"
    >
      {(facility) => (
        <Loadable
          load={plans}
          failure={t('The protection plans could not be loaded.')}
          skeleton="h-96 w-full"
        >
          {(plans) => <Flow {...props} facility={facility} plans={plans} />}
        </Loadable>
      )}
    </Loadable>
  );
}

function Flow({
  facility,
  plans,
  ...props
}: Props & { facility: Facility; plans: InsuranceCoverage[] }) {
  // What is on file changes with the tenant's own success, which must not reword the dialog that
  // reports it.
  const [insurance] = useState(props.insurance);
  const { ledger, onConflict, onClose, onBusy } = props;
  const { open, refetch } = useOpenRequest(formTypes.insurance, ledger);
  const today = calendarDateIn(facility.timeZone, serverNow());
  const { phase, submit, isBusy, error } = useInsuranceSubmit({
    ledger,
    insurance,
    plans,
    today,
    onAsked: refetch,
    onConflict,
  });

  if (phase.state !== 'select') {
    return (
      <InsuranceDone success={phase} unitName={ledger.unitName} today={today} onClose={onClose} />
    );
  }
  return (
    <>
      {open && (
        <p className="mb-4">
          <OpenRequest what={t('A change')} {...open} />
        </p>
      )}
      <SelectInsurance
        facility={facility}
        plans={plans}
        insurance={insurance}
        today={today}
        isBusy={isBusy}
        error={error}
        onClose={onClose}
        onBusy={onBusy}
        onSubmit={submit}
      />
    </>
  );
}
