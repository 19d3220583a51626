import { alarmKinds } from '@gatehouse/contract/alarm-kinds';
import type { AlarmRow } from '@gatehouse/contract/office/audit';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Alert, Stack, Typography } from '@mui/material';
import { AutocompleteInput, DataTable, Link, SelectInput, useRecordContext } from 'react-admin';
import { ActionButton } from '#parts/action-dialog.tsx';
import { choicesOf } from '#parts/choices.ts';
import { InstantField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

const kinds = Object.fromEntries(
  Object.entries(alarmKinds).map(([kind, { title }]) => [kind, title]),
);

const filters = [
  <SelectInput
    key="standing"
    source="standing"
    label="Show"
    alwaysOn
    choices={[
      { id: 'open', name: 'Open' },
      { id: 'closed', name: 'Closed' },
    ]}
  />,
  <AutocompleteInput key="kind" source="kind" label="Of" choices={choicesOf(kinds)} alwaysOn />,
];

/** What a person must look at, with what to do; a row opens the facts. */
export function AlarmList() {
  return (
    <OfficeList
      title="Alarms"
      filters={filters}
      empty="There is no alarm."
      sort={{ field: 'raisedAt', order: 'DESC' }}
      rowClick="expand"
      expand={<AlarmFacts />}
    >
      <DataTable.Col source="sentence" label="Alarm" disableSort />
      <DataTable.Col source="facility" label="Facility" disableSort />
      <DataTable.Col source="raisedAt" label="Raised" field={InstantField} />
      <DataTable.Col label="State" disableSort render={stateOf} />
    </OfficeList>
  );
}

function stateOf({ closed }: AlarmRow) {
  return closed ? <State>{`Closed by ${closed.by}`}</State> : <State tone="error">Open</State>;
}

function AlarmFacts() {
  const alarm = useRecordContext<AlarmRow>();
  if (!alarm) return null;
  return (
    <Stack sx={{ gap: 1, py: 1, alignItems: 'flex-start', whiteSpace: 'normal' }}>
      <Alert severity="info">{alarm.advice}</Alert>
      {Object.entries(alarm.facts).map(([name, value]) => (
        <Typography
          key={name}
          variant="body2"
          sx={{ whiteSpace: 'pre-wrap' }}
        >{`${name}: ${shown(value)}`}</Typography>
      ))}
      {alarm.tenantId !== null && (
        <Link to={`/tenants/${alarm.tenantId}/show`}>Open the tenant</Link>
      )}
      {alarm.closed && <Typography variant="body2">{`Closed: ${alarm.closed.why}`}</Typography>}
      {alarm.closed === null && (
        <ActionButton
          action={officeVerbs['alarms.close']}
          label="Close alarm"
          variant="outlined"
          given={{ alarmId: alarm.id }}
        />
      )}
    </Stack>
  );
}

/** A fact of an alarm; each item of a list on a line of its own. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `\n${shown(item)}`).join('');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
