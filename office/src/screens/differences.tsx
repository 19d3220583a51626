import type { DifferenceRow } from '@gatehouse/contract/office/audit';
import { toDollars, formatMoney } from '@gatehouse/contract/money';
import { Alert, Stack, Typography } from '@mui/material';
import { DataTable, Link, useRecordContext } from 'react-admin';
import { InstantField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';

const classes: Record<DifferenceRow['class'], string> = {
  gateway_only: 'Only the gateway has it',
  ledger_only: 'Only the books have it',
  amount: 'The sums differ',
  status: 'The standings differ',
  duplicate: 'Taken twice',
  refund: 'Refunded at the gateway',
  dispute: 'Disputed at the gateway',
};

/** Differences between the books and the gateway's list, each with what to do. */
export function DifferenceList() {
  return (
    <OfficeList
      title="Differences"
      empty="The books and the gateway agree."
      sort={{ field: 'foundAt', order: 'DESC' }}
      rowClick="expand"
      expand={<Advice />}
      exportAs="Differences"
    >
      <DataTable.Col source="foundAt" label="Found" field={InstantField} />
      <DataTable.Col label="Difference" disableSort render={classOf} />
      <DataTable.Col label="In the books" disableSort>
        <Side of="ours" />
      </DataTable.Col>
      <DataTable.Col label="At the gateway" disableSort>
        <Side of="theirs" />
      </DataTable.Col>
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

function classOf(row: DifferenceRow) {
  return <span>{classes[row.class]}</span>;
}

function Side({ of }: { of: 'ours' | 'theirs' }) {
  const side = useRecordContext<DifferenceRow>()?.[of];
  if (!side) return <span>–</span>;
  const { amountCents, state } = side;
  return (
    <span>
      {[typeof amountCents === 'number' && formatMoney(toDollars(amountCents)), state]
        .filter(Boolean)
        .join(', ')}
    </span>
  );
}

function Advice() {
  const row = useRecordContext<DifferenceRow>();
  if (!row) return null;
  return (
    <Stack sx={{ gap: 1, py: 1, alignItems: 'flex-start', whiteSpace: 'normal' }}>
      <Alert severity="info">{row.advice}</Alert>
      <Typography variant="body2">{`The gateway’s reference: ${row.reference}`}</Typography>
      {row.receiptNumber !== null && (
        <Typography variant="body2">{`Receipt ${row.receiptNumber}`}</Typography>
      )}
      {row.tenantId !== null && (
        <Link
          to={`/tenants/${row.tenantId}/show`}
        >{`Open the tenant ${row.tenantName ?? ''}`}</Link>
      )}
    </Stack>
  );
}
