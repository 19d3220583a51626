import { useGetFacilityQuery } from '#api/facilities.ts';
import { usePrivateMoment } from '#session/private-moment.ts';
import { FormDialog, lazyForm } from '#ui/form-dialog.tsx';
import type { FlowProps } from './payment-method-flow.tsx';

const flow = lazyForm<FlowProps>(() => import('./payment-method-flow.tsx'));

/** Fetches the dialog's content ahead of its opening; a failure shows when it is opened. */
export const fetchPaymentMethodFlow = flow.fetchAhead;

/** The payment method / autopay dialog of a rental (spec section 2, Dialogs). */
export function PaymentMethodDialog({ onClose, ...props }: Omit<FlowProps, 'onBusy'>) {
  usePrivateMoment();
  const { data: facility } = useGetFacilityQuery();
  return (
    <FormDialog
      title={`${props.verb} payment method`}
      description={`For unit ${props.ledger.unitName}.`}
      onClose={onClose}
      // The provider asks for a bank's sign-in in a window of its own.
      mayBeCovered={facility?.hostedFields != null}
      form={flow}
      formProps={props}
    />
  );
}
