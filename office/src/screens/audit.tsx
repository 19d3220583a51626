import { type AuditRow, verifyAudit } from '@gatehouse/contract/office/audit';
import { auditActions, auditKinds } from '@gatehouse/contract/office/audit-actions';
import { Button, Typography } from '@mui/material';
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
import { tenantPage } from '#parts/tenant-page.ts';

const filters = [
  <TextInput key="by" source="by" label="Who" alwaysOn />,
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
      <DataTable.Col source="at" label="When">
        <InstantField source="at" />
      </DataTable.Col>
      <DataTable.Col source="by" label="Who" disableSort />
      <DataTable.Col label="What" disableSort>
        <AuditedAction />
      </DataTable.Col>
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col label="Why" disableSort>
        <Why />
      </DataTable.Col>
    </OfficeList>
  );
}

function Why() {
  const why = useRecordContext<AuditRow>()?.details['why'];
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
