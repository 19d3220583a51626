import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Button } from '@mui/material';
import { useRedirect } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { ActionButton, ActionDialog, type Reply } from './action-dialog.tsx';
import { FacilityInput, useUsualFacility } from './facility-input.tsx';
import type { FormReader } from './form-reader.ts';
import { Sentences } from './outcome.tsx';
import type { TakenQuote } from './quote.tsx';

const action = officeVerbs['tenants.add'];

/** Makes a tenant record at the facility that is chosen in the dialog. */
export function AddTenant() {
  const usual = useUsualFacility();
  return <ActionButton {...useAddTenant()} defaultValues={{ locationCode: usual }} />;
}

/**
 * The same dialog with what is `typed` already. The page of the record that it makes begins with
 * the move-in by the quote.
 */
export function AddTenantDialog({
  typed,
  quote,
  onClose,
}: {
  typed: FieldValues;
  quote: TakenQuote;
  onClose: () => void;
}) {
  return <ActionDialog {...useAddTenant(quote)} defaultValues={typed} onClose={onClose} />;
}

function useAddTenant(quote?: TakenQuote) {
  const redirect = useRedirect();
  return {
    action,
    label: 'Add tenant',
    given: (form: FormReader) => ({ locationCode: form.text('locationCode') }),
    children: <FacilityInput />,
    describe: (reply: Reply<typeof action>, isDone: boolean) => (
      <>
        <Sentences action={action} reply={reply} isDone={isDone} />
        {isDone && (
          <Button onClick={() => redirect('show', 'tenants', reply.tenantId, {}, { quote })}>
            <span>{quote === undefined ? 'Open the record' : 'Move in as quoted'}</span>
          </Button>
        )}
      </>
    ),
  };
}
