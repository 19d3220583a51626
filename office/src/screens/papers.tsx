import { type ExpiringPaper, getPaperOfRental } from '@gatehouse/contract/office/vehicle-papers';
import { paperKinds } from '@gatehouse/contract/vehicle-papers';
import { DataTable, Link } from 'react-admin';
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
      <DataTable.Col source="tenantName" label="Tenant" disableSort render={tenantOf} />
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="vehicle" label="Vehicle" disableSort />
      <DataTable.Col source="kind" label="Paper" disableSort render={kindOf} />
      <DataTable.Col source="expiresOn" label="Expires" field={DayField} />
      <DataTable.Col label="State" disableSort render={paperStateOf} />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
      <DataTable.Col label="File" disableSort render={downloadOf} />
    </OfficeList>
  );
}

function tenantOf(row: ExpiringPaper) {
  return <Link to={`/tenants/${row.tenantId}/show`}>{row.tenantName}</Link>;
}

function kindOf(row: ExpiringPaper) {
  return <span>{paperKinds[row.kind]()}</span>;
}

function paperStateOf(row: ExpiringPaper) {
  return row.isExpired ? <State tone="error">Expired</State> : <State>Expires soon</State>;
}

/** Saves the file; it is never shown here, because a tenant chose it. */
function downloadOf(row: ExpiringPaper) {
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
