import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { gateRequestFields } from '@gatehouse/contract/gate-request-fields';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useRequestGateAccessMutation } from '#api/gate-access.ts';
import { useRequester } from '#api/requester.ts';
import { useOpenRequest } from '#api/requests.ts';
import { useSubmit } from '#api/use-submit.ts';
import { TextArea } from '#ui/text-area.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { OpenRequest, Reference } from '#ui/reference.tsx';

const shape = z.object(gateRequestFields);
type GateRequest = z.infer<typeof shape>;

/** Asks the facility for 24-hour access, with a reason. */
export default function GateRequestForm({
  ledger,
  onClose,
  onBusy,
}: FormDialogProps & { ledger: Ledger }) {
  const [reference, setReference] = useState<string | null>(null);
  const requester = useRequester(ledger);
  const { open, refetch } = useOpenRequest(formTypes.gateAccess, ledger);
  const [requestGateAccess] = useRequestGateAccessMutation();
  const { register, handleSubmit, formState } = useForm<GateRequest>({
    defaultValues: { reason: '' },
    mode: 'onTouched',
    resolver: standardSchemaResolver(shape),
  });
  const { submit, isBusy, error } = useSubmit<GateRequest>(async ({ reason }, idempotencyKey) => {
    const body = { ...requester, formType: formTypes.gateAccess, reason };
    setReference(
      (await requestGateAccess({ ledgerId: ledger.id, body, idempotencyKey }).unwrap()).reference,
    );
  });
  // Once the dialog is closed: a request that is open takes away the button that it belongs to.
  const isSent = reference !== null;
  const closed = useEffectEvent(refetch);
  useEffect(() => (isSent ? () => closed() : undefined), [isSent]);

  if (reference !== null) {
    return (
      <DialogDone title={t('Request sent')} onClose={onClose}>
        <p>{t('Request successfully sent')}</p>
        <p className="mt-1">{t('The facility will review it.')}</p>
        <p>
          <Reference number={reference} />
        </p>
      </DialogDone>
    );
  }
  return (
    <DialogForm
      submitLabel={t('Send request')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      {open && <OpenRequest what={t('24-hour access')} {...open} />}
      {ledger.balance > 0 && (
        <p>
          {t('If this unit is locked out, paying what is owed comes first: {sum}.', {
            sum: formatMoney(ledger.balance),
          })}
        </p>
      )}
      <TextArea
        label={t('Reason')}
        hint={t('Write one sentence why.')}
        error={formState.errors.reason?.message}
        {...register('reason')}
      />
    </DialogForm>
  );
}
