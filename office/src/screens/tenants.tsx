import type { TenantRow } from '@gatehouse/contract/office/tenants';
import { listedName } from '@gatehouse/contract/tenant-name';
import { DataTable, SearchInput, SelectInput } from 'react-admin';
import { AddTenant } from '#parts/add-tenant.tsx';
import { GuestQuote } from '#parts/guest-quote.tsx';
import { MoneyField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

const filters = [
  <SearchInput
    key="q"
    source="q"
    alwaysOn
    placeholder="Name, email, phone, unit, plate, receipt, check"
  />,
  <SelectInput
    key="standing"
    source="standing"
    label="Rentals"
    alwaysOn
    choices={[
      { id: 'current', name: 'Current tenants' },
      { id: 'former', name: 'Former tenants' },
    ]}
  />,
];

/** Every tenant record; two characters find one. */
export function TenantList() {
  return (
    <OfficeList
      title="Tenants"
      filters={filters}
      empty="No tenant fits. Check the spelling, or another facility in the bar."
      sort={{ field: 'name', order: 'ASC' }}
      rowClick="show"
      exportAs="Tenants"
      actions={
        <>
          <GuestQuote />
          <AddTenant />
        </>
      }
    >
      <DataTable.Col source="name" label="Name" render={nameOf} />
      <DataTable.Col label="Units" disableSort render={unitsOf} />
      <DataTable.Col source="balance" label="Balance" align="right" disableSort>
        <MoneyField source="balance" isOwed />
      </DataTable.Col>
      <DataTable.Col source="email" label="Email" disableSort />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function nameOf(tenant: TenantRow) {
  return <span>{listedName(tenant)}</span>;
}

function unitsOf({ rentals }: TenantRow) {
  const current = rentals.filter(({ movedOutOn }) => movedOutOn === null);
  return (
    <span>
      {current.length === 0 ? 'None' : current.map(({ unitName }) => unitName).join(', ')}
    </span>
  );
}
