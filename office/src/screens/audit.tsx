import { type AuditRow, verifyAudit } from '@gatehouse/contract/office/audit';
import { Button, Typography } from '@mui/material';
import { useState } from 'react';
import { DataTable, DateInput, TextInput, useNotify, useRecordContext } from 'react-admin';
import { hasRole } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { InstantField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { tenantPage } from '#parts/tenant-page.ts';

const filters = [
  <TextInput key="by" source="by" label="Who" alwaysOn />,
  <TextInput key="verb" source="verb" label="Action, such as charges.waive" alwaysOn />,
  <DateInput key="from" source="from" label="From" />,
  <DateInput key="to" source="to" label="To" />,
  <TextInput key="kind" source="kind" label="Kind" />,
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
        <What />
      </DataTable.Col>
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col label="Why" disableSort>
        <Why />
      </DataTable.Col>
    </OfficeList>
  );
}

function What() {
  const event = useRecordContext<AuditRow>();
  return <>{event?.details['verb'] ?? event?.kind.replaceAll('_', ' ')}</>;
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
