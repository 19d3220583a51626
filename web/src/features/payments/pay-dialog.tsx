import type { Autopay } from '@gatehouse/contract/autopay';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { autopayOf } from '#api/autopay-record.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { notePayment } from '#api/sent-payment.ts';
import { usePrivateMoment } from '#session/private-moment.ts';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import type { Asked, PayDialogProps } from './asked.ts';

export const paymentDialog = lazyPart(() => import('./payment-dialog.tsx'));

/** The pay sheet, or the payment method / autopay dialog of a rental. */
export default function PayDialog({ onClose, ...props }: PayDialogProps) {
  usePrivateMoment();
  const { data: facility } = useGetFacilityQuery();
  const { data: autopays = [] } = useListAutopaysQuery(props.tenantId);
  const [outcome, setOutcome] = useState<string | null>(null);
  const { asked } = props;
  // Of the opening: saving autopay must not reword the dialog that says so.
  const [title] = useState(() => titleOf(asked, autopays));
  return (
    <FormDialog
      title={outcome ?? title}
      description={asked.kind === 'pay' ? facility?.name : undefined}
      onClose={() => {
        notePayment(null);
        onClose();
      }}
      // The provider asks for a bank's sign-in in a window of its own.
      mayBeCovered={facility?.hostedFields != null}
      form={paymentDialog}
      formProps={{ ...props, onOutcome: setOutcome }}
    />
  );
}

function titleOf({ kind, ledgerId }: Asked, autopays: Autopay[]): string {
  if (kind === 'pay') return t('Pay');
  return autopayOf(autopays, ledgerId).active
    ? t('Update payment method')
    : t('Setup payment method');
}
