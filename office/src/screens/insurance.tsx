import { insuranceStates, type InsuranceListRow } from '@gatehouse/contract/office/insurance';
import { formatMoney } from '@gatehouse/contract/money';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Stack } from '@mui/material';
import { DataTable, Link, SelectInput } from 'react-admin';
import { ActionButton } from '#parts/action-dialog.tsx';
import { DayField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

const stateNames: Record<InsuranceListRow['state'], string> = {
  check: 'To check',
  none: 'None',
  refused: 'Refused',
  expired: 'Expired',
  ending: 'Ends within 30 days',
  proof: 'Proof on file',
  plan: 'Protection plan',
};
const tones = {
  check: 'warning',
  none: 'error',
  refused: 'error',
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

/** Who has which proof until when, and who has none; a proof is decided in its row. */
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
      <DataTable.Col label="Proof" disableSort render={decisionOf} />
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

/** The plan, the proof's insurer, policy number and coverage, or both; and what was decided. */
function insurerOf(row: InsuranceListRow) {
  const { company, policyNumber, coverage, decidedBy, refusal } = row;
  const sum = coverage === null ? null : `covers ${formatMoney(coverage)}`;
  const policy = [company, policyNumber, sum].filter(Boolean).join(', ');
  const done =
    refusal === null ? `accepted by ${decidedBy}` : `refused by ${decidedBy}: ${refusal}`;
  return (
    <span style={{ whiteSpace: 'normal' }}>
      {[row.plan, policy, decidedBy !== null && done].filter(Boolean).join('; ') || '–'}
    </span>
  );
}

/** The decisions that are left on a proof that has not ended. */
function decisionOf({ proofId, state, decidedBy, refusal }: InsuranceListRow) {
  if (proofId === null || state === 'expired') return null;
  return (
    <Stack sx={{ alignItems: 'flex-start' }}>
      {(decidedBy === null || refusal !== null) && (
        <ActionButton
          action={officeVerbs['insurance.accept']}
          label="Accept"
          explanation="It counts as proof, and the tenant is mailed."
          given={{ proofId }}
        />
      )}
      {refusal === null && (
        <ActionButton
          action={officeVerbs['insurance.refuse']}
          label="Refuse"
          isDanger
          given={{ proofId }}
        />
      )}
    </Stack>
  );
}
