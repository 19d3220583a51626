import { type StateCode, stateNames } from '@gatehouse/contract/states';
import { Button } from '@mui/material';
import { SelectInput, TextInput, required, useRedirect } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { FacilityInput, useUsualFacility } from './facility-input.tsx';
import type { FormReader } from './form-reader.ts';
import type { TakenQuote } from './quote.tsx';
import { type Reply, VerbButton, VerbDialog } from './verb-dialog.tsx';

const stateCodes = Object.keys(stateNames) as [StateCode, ...StateCode[]];

/** Makes a tenant record at the facility that is chosen in the dialog. */
export function AddTenant() {
  const usual = useUsualFacility();
  return <VerbButton {...useAddTenant()} defaultValues={{ locationCode: usual }} />;
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
  return <VerbDialog {...useAddTenant(quote)} defaultValues={typed} onClose={onClose} />;
}

function useAddTenant(quote?: TakenQuote) {
  const redirect = useRedirect();
  return {
    verb: 'tenants.add' as const,
    label: 'Add tenant',
    locationOf: (form: FormReader) => form.text('locationCode'),
    toBody: (form: FormReader) => ({
      firstName: form.text('firstName'),
      lastName: form.text('lastName'),
      email: form.text('email'),
      phone: form.text('phone'),
      street1: form.text('street1'),
      ...form.optionalText('street2'),
      city: form.text('city'),
      region: form.one('region', stateCodes),
      postalCode: form.text('postalCode'),
    }),
    describe: ({ tenantId }: Reply<'tenants.add'>, isDone: boolean) =>
      isDone ? (
        <Button onClick={() => redirect('show', 'tenants', tenantId, {}, { quote })}>
          <span>{quote === undefined ? 'Open the record' : 'Move in as quoted'}</span>
        </Button>
      ) : (
        'A new record without a rental. Nothing is mailed before it rents a unit.'
      ),
    children: (
      <>
        <FacilityInput />
        <TextInput source="firstName" label="First name" validate={required()} />
        <TextInput source="lastName" label="Last name" validate={required()} />
        <TextInput source="email" label="Email" type="email" validate={required()} />
        <TextInput source="phone" label="Phone" validate={required()} />
        <TextInput source="street1" label="Street 1" validate={required()} />
        <TextInput source="street2" label="Street 2" />
        <TextInput source="city" label="City" validate={required()} />
        <SelectInput
          source="region"
          label="State"
          validate={required()}
          choices={Object.entries(stateNames).map(([id, name]) => ({ id, name }))}
        />
        <TextInput source="postalCode" label="Postal code" validate={required()} />
      </>
    ),
  };
}
