import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import type { UnitRow } from '@gatehouse/contract/office/units';
import { AutocompleteInput, required, useGetList } from 'react-admin';
import { useWatch } from 'react-hook-form';

/** The most units that are offered; a facility has a few hundred. */
const MOST_OFFERED = 1000;

/**
 * One of the units of a facility that can be let from the day in the form's `on`: found by name,
 * size, type or rent.
 */
export function UnitInput({
  locationCode,
  label = 'Unit',
}: {
  locationCode: string;
  label?: string;
}) {
  const on: unknown = useWatch({ name: 'on' });
  const isAsked = typeof on === 'string' && on !== '' && locationCode !== '';
  const { data = [], isPending } = useGetList<UnitRow>(
    'units',
    {
      pagination: { page: 1, perPage: MOST_OFFERED },
      sort: { field: 'name', order: 'ASC' },
      filter: { freeOn: on, locationCode },
    },
    { enabled: isAsked },
  );
  const isFree = (unit: unknown) => isPending || data.some(({ name }) => name === unit);
  return (
    <AutocompleteInput
      source="unit"
      label={label}
      choices={data}
      optionValue="name"
      optionText={unitText}
      isPending={isAsked && isPending}
      helperText={isAsked ? 'Those that are free from the day on.' : 'Choose the day first.'}
      noOptionsText="No unit is free from the day on."
      validate={[
        required('Choose the unit.'),
        (unit: unknown) => (isFree(unit) ? undefined : 'This unit is not free from the day on.'),
      ]}
    />
  );
}

/** Such as `C009, 10 x 20, Boat, $155.00 a month`. */
function unitText({ name, widthFeet, lengthFeet, typeName, rate, freeFrom }: UnitRow): string {
  return [
    name,
    `${widthFeet} x ${lengthFeet}`,
    typeName,
    rate === null ? 'not rented before' : `${formatMoney(rate)} a month`,
    ...(freeFrom === null ? [] : [`free from ${formatDate(freeFrom)}`]),
  ].join(', ');
}
