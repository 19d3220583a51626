import { type AuditRow, verifyAudit } from '@gatehouse/contract/office/audit';
import { auditActions, auditKinds } from '@gatehouse/contract/office/audit-actions';
import { type OfficeVerbName, officeVerbs } from '@gatehouse/contract/office/verbs';
import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import {
  AutocompleteInput,
  DataTable,
  DateInput,
  TextInput,
  useNotify,
  useRecordContext,
} from 'react-admin';
import { hasRole } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { choicesOf } from '#parts/choices.ts';
import { AuditedAction } from '#parts/audited-action.tsx';
import { InstantField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { More } from '#parts/more.tsx';
import { tenantPage } from '#parts/tenant-page.ts';

const filters = [
  <TextInput key="by" source="by" label="Who, name or email" alwaysOn />,
  <AutocompleteInput
    key="verb"
    source="verb"
    label="Action"
    choices={choicesOf(auditActions)}
    alwaysOn
  />,
  <DateInput key="from" source="from" label="From" />,
  <DateInput key="to" source="to" label="To" />,
  <AutocompleteInput key="kind" source="kind" label="Kind" choices={choicesOf(auditKinds)} />,
];

/** Who did what, to whom, and why. */
export function AuditList() {
  return (
    <OfficeList
      title="Audit"
      filters={filters}
      empty="No event fits these filters."
      sort={{ field: 'at', order: 'DESC' }}
      rowClick={tenantPage}
      exportAs="Audit"
      actions={<VerifyButton />}
    >
      <DataTable.Col source="at" label="When" field={InstantField} />
      <DataTable.Col source="by" label="Who" disableSort render={whoOf} />
      <DataTable.Col label="What" disableSort>
        <AuditedAction />
        <Values />
      </DataTable.Col>
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col label="Why" disableSort render={whyOf} />
      <DataTable.Col label="From" disableSort render={fromOf} />
    </OfficeList>
  );
}

/** The name at the time, and what is only this member's: the address of the account. */
function whoOf(event: AuditRow) {
  const { by, staffEmail, kind } = event;
  const isTyped = staffEmail === null && kind === 'staff_action';
  return (
    <>
      <span>{by ?? '–'}</span>
      {(staffEmail !== null || isTyped) && (
        <More>{staffEmail ?? 'a name only, as on the command line'}</More>
      )}
    </>
  );
}

/** What is in other columns, or says nothing to people. */
const inColumns = ['verb', 'by', 'why', 'key', 'staff'];

/** The values that decided, in the words of the form of their verb. */
function Values() {
  const { verb, ...details } = useRecordContext<AuditRow>()?.details ?? {};
  const fields = isVerb(verb) ? officeVerbs[verb].verb.fields : {};
  const values = Object.entries(details).filter(
    ([name, value]) => !inColumns.includes(name) && !isId(value),
  );
  if (values.length === 0) return null;
  return (
    <Box sx={{ whiteSpace: 'normal', minWidth: '12rem', maxWidth: '24rem' }}>
      <More>
        {values
          .map(([name, value]) => {
            const { title = name, names } = fields[name] ?? {};
            return `${title}: ${names?.[value] ?? value}`;
          })
          .join(', ')}
      </More>
    </Box>
  );
}

function isVerb(name: string | undefined): name is OfficeVerbName {
  return name !== undefined && Object.hasOwn(officeVerbs, name);
}

function isId(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** Where from: the address of the network, and what the browser called itself. */
function fromOf(event: AuditRow) {
  if (event.ip === null) return <span>–</span>;
  return (
    <>
      <span>{event.ip}</span>
      {event.device !== null && <More>{event.device}</More>}
    </>
  );
}

function whyOf({ details: { why } }: AuditRow) {
  return (
    <Typography variant="inherit" component="span" sx={{ whiteSpace: 'normal' }}>
      {why === undefined || why === '' ? '–' : why}
    </Typography>
  );
}

/** Computes the chain of the trail again, for owners. */
function VerifyButton() {
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  if (!hasRole('owner')) return null;
  async function verify() {
    setBusy(true);
    try {
      const { isSound, sentence } = await call(verifyAudit, { body: {} });
      notify(sentence, { type: isSound ? 'success' : 'error', autoHideDuration: null });
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="small" disabled={isBusy} onClick={() => void verify()}>
      Verify the chain
    </Button>
  );
}
