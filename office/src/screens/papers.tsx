import { type ExpiringPaper, getPaperOfRental } from '@gatehouse/contract/office/vehicle-papers';
import { paperKinds } from '@gatehouse/contract/vehicle-papers';
import { DataTable, Link, useRecordContext } from 'react-admin';
import { call } from '#api/call.ts';
import { DayField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { PaperButton } from '#parts/paper-button.tsx';

/** Papers of vehicles and vessels that expire within 60 days or have expired. */
export function PaperList() {
  return (
    <OfficeList
      title="Papers that expire"
      empty="No paper expires within 60 days."
      sort={{ field: 'expiresOn', order: 'ASC' }}
      exportAs="Papers"
    >
      <DataTable.Col source="tenantName" label="Tenant" disableSort>
        <Tenant />
      </DataTable.Col>
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="vehicle" label="Vehicle" disableSort />
      <DataTable.Col source="kind" label="Paper" disableSort>
        <Kind />
      </DataTable.Col>
      <DataTable.Col source="expiresOn" label="Expires">
        <DayField source="expiresOn" />
      </DataTable.Col>
      <DataTable.Col label="State" disableSort>
        <PaperState />
      </DataTable.Col>
      <DataTable.Col source="locationCode" label="Facility" disableSort />
      <DataTable.Col label="File" disableSort>
        <DownloadButton />
      </DataTable.Col>
    </OfficeList>
  );
}

function Tenant() {
  const row = useRecordContext<ExpiringPaper>();
  return row ? <Link to={`/tenants/${row.tenantId}/show`}>{row.tenantName}</Link> : null;
}

function Kind() {
  const row = useRecordContext<ExpiringPaper>();
  return row ? <span>{paperKinds[row.kind]()}</span> : null;
}

function PaperState() {
  const row = useRecordContext<ExpiringPaper>();
  if (!row) return null;
  return row.isExpired ? <State tone="error">Expired</State> : <State>Expires soon</State>;
}

/** Saves the file; it is never shown here, because a tenant chose it. */
function DownloadButton() {
  const row = useRecordContext<ExpiringPaper>();
  if (!row) return null;
  const { ledgerId, vehicleId, kind, tenantName, unitName, vehicle } = row;
  const query = vehicleId === null ? {} : { vehicleId };
  return (
    <PaperButton
      label="Download"
      name={`Download ${kind} of ${tenantName}, ${unitName}${vehicle && `, ${vehicle}`}`}
      read={() => call(getPaperOfRental, { params: { ledgerId, paperKind: kind }, query })}
    />
  );
}
