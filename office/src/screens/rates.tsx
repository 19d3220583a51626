import type { RateRow } from '@gatehouse/contract/office/rates';
import { Typography } from '@mui/material';
import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { DataTable, NumberInput, SearchInput, TextInput } from 'react-admin';
import { DayField, MoneyField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { RaiseRents } from '#parts/raise-rents.tsx';
import { tenantPage } from '#parts/tenant-page.ts';

const filters = [
  <SearchInput key="q" source="q" alwaysOn placeholder="Name or unit" />,
  <TextInput key="size" source="size" label="Size, such as 12x30" alwaysOn />,
  <NumberInput
    key="leastMonths"
    source="leastMonths"
    label="Months since the last change"
    alwaysOn
  />,
];

/** Rents by size and age; selected ones are raised together. */
export function RateList() {
  return (
    <OfficeList
      title="Rates"
      filters={filters}
      empty="No rental fits these filters."
      sort={{ field: 'rateSince', order: 'ASC' }}
      rowClick={tenantPage}
      exportAs="Rates"
      bulkActionButtons={<RaiseRents />}
    >
      <DataTable.Col source="unit" label="Unit" render={unitOf} />
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="rate" label="Rent" align="right" field={MoneyField} />
      <DataTable.Col
        source="averageRate"
        label="Average of its size"
        align="right"
        disableSort
        field={MoneyField}
      />
      <DataTable.Col source="rateSince" label="Since" field={DayField} />
      <DataTable.Col source="months" label="Months" align="right" disableSort />
      <DataTable.Col label="Scheduled" disableSort render={scheduledOf} />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function unitOf(row: RateRow) {
  return <span>{`${row.unitName} (${row.widthFeet} x ${row.lengthFeet})`}</span>;
}

function scheduledOf({ scheduled }: RateRow) {
  return (
    <Typography variant="inherit" component="span">
      {scheduled ? `${formatMoney(scheduled.rate)} from ${formatDate(scheduled.on)}` : '–'}
    </Typography>
  );
}
