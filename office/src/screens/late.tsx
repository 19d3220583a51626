import { lateBuckets, type LateRow } from '@gatehouse/contract/office/late';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { listedName } from '@gatehouse/contract/tenant-name';
import { Link, Typography } from '@mui/material';
import { DataTable, SearchInput, SelectInput } from 'react-admin';
import { MoneyField, DayField, State } from '#parts/format.tsx';
import { MailLateNotice, PrintLateLetters } from '#parts/late-notice.tsx';
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

/** Rentals that are late, by how long; a row opens its tenant, selected ones are written to. */
export function LateList() {
  return (
    <OfficeList
      title="Late"
      filters={filters}
      empty="Nothing is late here."
      sort={{ field: 'daysOwed', order: 'DESC' }}
      rowClick={tenantPage}
      exportAs="Late"
      bulkActionButtons={
        <>
          <MailLateNotice />
          <PrintLateLetters />
        </>
      }
    >
      <DataTable.Col source="name" label="Tenant" render={nameOf} />
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="balance" label="Owed" align="right">
        <MoneyField source="balance" isOwed />
      </DataTable.Col>
      <DataTable.Col source="daysOwed" label="Days" align="right" />
      <DataTable.Col label="Phone" disableSort render={phoneOf} />
      <DataTable.Col source="owedSince" label="Since" disableSort field={DayField} />
      <DataTable.Col label="Gate" disableSort render={gateOf} />
      <DataTable.Col label="Hold" disableSort render={holdOf} />
      <DataTable.Col source="noticedOn" label="Mailed" disableSort field={DayField} />
      <DataTable.Col label="Note" disableSort render={lastNoteOf} />
      <DataTable.Col source="autopay" label="Autopay" disableSort />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function nameOf(row: LateRow) {
  return <span>{listedName(row)}</span>;
}

function phoneOf({ phone }: LateRow) {
  // A press on the number calls, and does not open the row as well.
  return phone ? (
    <Link href={phoneHref(phone)} onClick={(event) => event.stopPropagation()}>
      {formatPhone(phone)}
    </Link>
  ) : null;
}

/** The newest note on the record, as much as a line of it. */
function lastNoteOf({ note }: LateRow) {
  return note ? (
    <Typography variant="body2" noWrap title={note.text} sx={{ maxWidth: 220 }}>
      {note.text}
    </Typography>
  ) : null;
}

function gateOf(row: LateRow) {
  if (row.movedOutOn !== null) return <State>Moved out</State>;
  return row.isLockedOut ? <State tone="error">Locked out</State> : <State>Open</State>;
}

function holdOf(row: LateRow) {
  if (!row.isOnHold) return <span>–</span>;
  return (
    <State tone="warning">
      {row.heldUntil === null ? 'On hold' : `Until ${day(row.heldUntil)}`}
    </State>
  );
}
