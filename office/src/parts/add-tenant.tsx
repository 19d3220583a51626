import { type StateCode, stateNames } from '@gatehouse/contract/states';
import { SelectInput, TextInput, required, useRedirect } from 'react-admin';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';
import { VerbButton } from './verb-dialog.tsx';

const stateCodes = Object.keys(stateNames) as [StateCode, ...StateCode[]];

/** Makes a tenant record at the facility that is chosen in the dialog. */
export function AddTenant() {
  const { me } = useSession();
  const [inView] = useFacilityInView();
  const redirect = useRedirect();
  const facilities = me?.facilities ?? [];
  return (
    <VerbButton
      verb="tenants.add"
      label="Add tenant"
      defaultValues={{ locationCode: inView || facilities[0]?.locationCode }}
      locationOf={(form) => form.text('locationCode')}
      toBody={(form) => ({
        firstName: form.text('firstName'),
        lastName: form.text('lastName'),
        email: form.text('email'),
        phone: form.text('phone'),
        street1: form.text('street1'),
        ...form.optionalText('street2'),
        city: form.text('city'),
        region: form.one('region', stateCodes),
        postalCode: form.text('postalCode'),
      })}
      describe={({ tenantId }, isDone) =>
        isDone ? (
          <button type="button" onClick={() => redirect('show', 'tenants', tenantId)}>
            Open the record
          </button>
        ) : (
          'A new record without a rental. Nothing is mailed before it rents a unit.'
        )
      }
    >
      <SelectInput
        source="locationCode"
        label="Facility"
        validate={required()}
        choices={facilities.map(({ locationCode, name }) => ({
          id: locationCode,
          name: `${locationCode} ${name}`,
        }))}
      />
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
    </VerbButton>
  );
}
