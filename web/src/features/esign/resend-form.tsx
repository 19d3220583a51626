import type { Ledger } from '@gatehouse/contract/ledgers';
import { formTypes } from '@gatehouse/contract/requests';
import type { Tenant } from '@gatehouse/contract/tenants';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useResendEsignDocumentsMutation } from '#api/esign.ts';
import { useRequester } from '#api/requester.ts';
import { useGetTenantQuery } from '#api/tenants.ts';
import { useSubmit } from '#api/use-submit.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Reference } from '#ui/reference.tsx';

type Props = FormDialogProps & { ledger: Ledger };

/** Asks the facility to send the documents of a rental again, to the tenant's address on file. */
export default function ResendForm(props: Props) {
  const load = useGetTenantQuery(props.ledger.tenantId);
  return (
    <Loadable
      load={load}
      failure={t('Your email address could not be loaded.')}
      skeleton="h-24 w-full"
    >
      {(tenant) => <Resend {...props} tenant={tenant} />}
    </Loadable>
  );
}

function Resend({ ledger, tenant: { email }, onClose, onBusy }: Props & { tenant: Tenant }) {
  // The address of the moment it was sent to.
  const [sent, setSent] = useState<{ email: string; reference: string } | null>(null);
  const requester = useRequester(ledger);
  const [resendEsignDocuments] = useResendEsignDocumentsMutation();
  const { submit, isBusy, error } = useSubmit<{ email: string }>(async (values, idempotencyKey) => {
    const body = { ...requester, formType: formTypes.esign };
    const { reference } = await resendEsignDocuments({
      ledgerId: ledger.id,
      body,
      idempotencyKey,
    }).unwrap();
    setSent({ ...values, reference });
  });

  if (sent !== null) {
    return (
      <DialogDone title={t('Documents asked for')} onClose={onClose}>
        <p>
          {t(
            'The request to receive the e-sign documents has been successfully submitted. Once the submission has been reviewed, you will recieve an email at {email}.',
            { email: sent.email },
          )}
        </p>
        <p className="mt-1">
          <Reference number={sent.reference} />
        </p>
      </DialogDone>
    );
  }
  return (
    <DialogForm
      submitLabel={t('Ask for the documents')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit({ email });
      }}
      error={
        error && t('An error was encountered while submitting the request. {error}', { error })
      }
      isBusy={isBusy}
      onClose={onClose}
      onBusy={onBusy}
    >
      <p className="wrap-anywhere">
        {rich('They will go to {email} once the facility has reviewed the request.', {
          email: <strong className="font-medium">{email}</strong>,
        })}
      </p>
    </DialogForm>
  );
}
