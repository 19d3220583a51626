import { lateBuckets, type LateRow } from '@gatehouse/contract/office/late';
import { formatPhone } from '@gatehouse/contract/phone';
import { listedName } from '@gatehouse/contract/tenant-name';
import { DataTable, SearchInput, SelectInput, useRecordContext } from 'react-admin';
import { MoneyField, DayField, State } from '#parts/format.tsx';
import { MailLateNotice } from '#parts/late-notice.tsx';
import { OfficeList } from '#parts/list.tsx';
import { day } from '#parts/outcome.tsx';
import { tenantPage } from '#parts/tenant-page.ts';

const filters = [
  <SearchInput key="q" source="q" alwaysOn placeholder="Name or unit" />,
  <SelectInput
    key="bucket"
    source="bucket"
    label="Days late"
    alwaysOn
    choices={lateBuckets.map((id) => ({ id, name: id }))}
  />,
  <SelectInput
    key="autopay"
    source="autopay"
    choices={[
      { id: 'on', name: 'On' },
      { id: 'off', name: 'Off' },
    ]}
  />,
  <SelectInput
    key="hold"
    source="hold"
    label="On hold"
    choices={[
      { id: 'on', name: 'On hold' },
      { id: 'off', name: 'Not on hold' },
    ]}
  />,
];

/** Rentals that are late, by how long; a row opens its tenant, selected ones are mailed. */
export function LateList() {
  return (
    <OfficeList
      title="Late"
      filters={filters}
      empty="Nothing is late here."
      sort={{ field: 'daysOwed', order: 'DESC' }}
      rowClick={tenantPage}
      exportAs="Late"
      bulkActionButtons={<MailLateNotice />}
    >
      <DataTable.Col source="name" label="Tenant">
        <Name />
      </DataTable.Col>
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="balance" label="Owed" align="right">
        <MoneyField source="balance" isOwed />
      </DataTable.Col>
      <DataTable.Col source="daysOwed" label="Days" align="right" />
      <DataTable.Col source="owedSince" label="Since" disableSort>
        <DayField source="owedSince" />
      </DataTable.Col>
      <DataTable.Col label="Gate" disableSort>
        <Gate />
      </DataTable.Col>
      <DataTable.Col label="Hold" disableSort>
        <Hold />
      </DataTable.Col>
      <DataTable.Col source="noticedOn" label="Mailed" disableSort>
        <DayField source="noticedOn" />
      </DataTable.Col>
      <DataTable.Col label="Phone" disableSort>
        <Phone />
      </DataTable.Col>
      <DataTable.Col source="autopay" label="Autopay" disableSort />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function Name() {
  const row = useRecordContext<LateRow>();
  return row ? <span>{listedName(row)}</span> : null;
}

function Phone() {
  const phone = useRecordContext<LateRow>()?.phone;
  return phone ? <span>{formatPhone(phone)}</span> : null;
}

function Gate() {
  const row = useRecordContext<LateRow>();
  if (!row) return null;
  if (row.movedOutOn !== null) return <State>Moved out</State>;
  return row.isLockedOut ? <State tone="error">Locked out</State> : <State>Open</State>;
}

function Hold() {
  const row = useRecordContext<LateRow>();
  if (!row?.isOnHold) return <span>–</span>;
  return (
    <State tone="warning">
      {row.heldUntil === null ? 'On hold' : `Until ${day(row.heldUntil)}`}
    </State>
  );
}
