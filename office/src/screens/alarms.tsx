import type { Alarm } from '@gatehouse/contract/alarms';
import { Alert, Stack, Typography } from '@mui/material';
import { DataTable, SelectInput, useRecordContext } from 'react-admin';
import { InstantField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { VerbButton } from '#parts/verb-dialog.tsx';

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
      <DataTable.Col source="raisedAt" label="Raised">
        <InstantField source="raisedAt" />
      </DataTable.Col>
      <DataTable.Col label="State" disableSort>
        <AlarmState />
      </DataTable.Col>
    </OfficeList>
  );
}

function AlarmState() {
  const alarm = useRecordContext<Alarm>();
  return alarm?.closed ? (
    <State>Closed by {alarm.closed.by}</State>
  ) : (
    <State tone="error">Open</State>
  );
}

function AlarmFacts() {
  const alarm = useRecordContext<Alarm>();
  if (!alarm) return null;
  return (
    <Stack sx={{ gap: 1, py: 1, alignItems: 'flex-start', whiteSpace: 'normal' }}>
      <Alert severity="info">{alarm.advice}</Alert>
      {Object.entries(alarm.facts).map(([name, value]) => (
        <Typography key={name} variant="body2">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </Typography>
      ))}
      {alarm.closed && <Typography variant="body2">Closed: {alarm.closed.why}</Typography>}
      {alarm.closed === null && (
        <VerbButton
          verb="alarms.close"
          label="Close alarm"
          variant="outlined"
          toBody={() => ({ alarmId: alarm.id })}
          describe={({ sentence }) => <Typography>Closed: {sentence}</Typography>}
        />
      )}
    </Stack>
  );
}
