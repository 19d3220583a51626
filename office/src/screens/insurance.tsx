import { insuranceStates, type InsuranceListRow } from '@gatehouse/contract/office/insurance';
import { formatMoney } from '@gatehouse/contract/money';
import { DataTable, Link, SelectInput } from 'react-admin';
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
      <DataTable.Col source="unit" label="Unit" render={unitOf} />
      <DataTable.Col source="tenantName" label="Tenant" disableSort render={tenantOf} />
      <DataTable.Col label="Insurance" disableSort render={stateOf} />
      <DataTable.Col label="With" disableSort render={insurerOf} />
      <DataTable.Col source="endsOn" label="Until" disableSort field={DayField} />
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function unitOf(row: InsuranceListRow) {
  return <span>{row.unitName}</span>;
}

function tenantOf(row: InsuranceListRow) {
  return (
    <Link to={`/tenants/${row.tenantId}/show`} sx={{ whiteSpace: 'normal' }}>
      {row.tenantName}
    </Link>
  );
}

function stateOf({ state }: InsuranceListRow) {
  return <State tone={tones[state]}>{stateNames[state]}</State>;
}

/** The plan, the proof's insurer, policy number and coverage, or both. */
function insurerOf(row: InsuranceListRow) {
  const { company, policyNumber, coverage } = row;
  const sum = coverage === null ? null : `covers ${formatMoney(coverage)}`;
  const policy = [company, policyNumber, sum].filter(Boolean).join(', ');
  return (
    <span style={{ whiteSpace: 'normal' }}>
      {[row.plan, policy].filter(Boolean).join('; ') || '–'}
    </span>
  );
}
