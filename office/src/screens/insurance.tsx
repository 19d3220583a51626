import { insuranceStates, type InsuranceListRow } from '@gatehouse/contract/office/insurance';
import { formatMoney } from '@gatehouse/contract/money';
import { DataTable, Link, SelectInput, useRecordContext } from 'react-admin';
import { DayField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

const stateNames: Record<InsuranceListRow['state'], string> = {
  none: 'None',
  expired: 'Expired',
  ending: 'Ends within 30 days',
  proof: 'Proof on file',
  plan: 'Protection plan',
};
const tones = {
  none: 'error',
  expired: 'error',
  ending: 'warning',
  proof: 'success',
  plan: 'success',
} as const;

const filters = [
  <SelectInput
    key="state"
    source="state"
    label="Insurance"
    alwaysOn
    choices={insuranceStates.map((id) => ({ id, name: stateNames[id] }))}
  />,
];

/** Who has which proof until when, and who has none. */
export function InsuranceList() {
  return (
    <OfficeList
      title="Insurance"
      filters={filters}
      empty="No rental fits."
      sort={{ field: 'unit', order: 'ASC' }}
      exportAs="Insurance"
    >
      <DataTable.Col source="unit" label="Unit">
        <Unit />
      </DataTable.Col>
      <DataTable.Col source="tenantName" label="Tenant" disableSort>
        <Tenant />
      </DataTable.Col>
      <DataTable.Col label="Insurance" disableSort>
        <InsuranceState />
      </DataTable.Col>
      <DataTable.Col label="With" disableSort>
        <Insurer />
      </DataTable.Col>
      <DataTable.Col source="endsOn" label="Until" disableSort>
        <DayField source="endsOn" />
      </DataTable.Col>
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function Unit() {
  const row = useRecordContext<InsuranceListRow>();
  return row ? <span>{row.unitName}</span> : null;
}

function Tenant() {
  const row = useRecordContext<InsuranceListRow>();
  if (!row) return null;
  return (
    <Link to={`/tenants/${row.tenantId}/show`} sx={{ whiteSpace: 'normal' }}>
      {row.tenantName}
    </Link>
  );
}

function InsuranceState() {
  const row = useRecordContext<InsuranceListRow>();
  return row ? <State tone={tones[row.state]}>{stateNames[row.state]}</State> : null;
}

/** The plan, the proof's insurer, policy number and coverage, or both. */
function Insurer() {
  const row = useRecordContext<InsuranceListRow>();
  if (!row) return null;
  const { company, policyNumber, coverage } = row;
  const sum = coverage === null ? null : `covers ${formatMoney(coverage)}`;
  const policy = [company, policyNumber, sum].filter(Boolean).join(', ');
  return (
    <span style={{ whiteSpace: 'normal' }}>
      {[row.plan, policy].filter(Boolean).join('; ') || '–'}
    </span>
  );
}
