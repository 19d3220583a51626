import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import type {
  BookLine,
  MailRow,
  TakenBackReason,
  TenantFile,
} from '@gatehouse/contract/office/tenants';
import { Stack, Typography } from '@mui/material';
import { DataTable, SelectInput, useRecordContext } from 'react-admin';
import { AuditedAction } from '#parts/audited-action.tsx';
import { DayField, InstantField, MoneyField, State } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { ReceiptButton } from './paper-buttons.tsx';
import { Offers } from './verbs/offers.tsx';
import { lineVerbs } from './verbs/table.ts';
import { WaiveCharge } from './verbs/waive-charge.tsx';

type OfTenant = { tenantId: string };

/**
 * The running ledgers of a record; a row opens what settled what, and the corrections of its line.
 * Each rental has a balance of its own; of several one can be chosen.
 */
export function Books({ tenant: { id: tenantId, ledgers } }: { tenant: TenantFile }) {
  return (
    <OfficeList
      resource="books"
      filters={ledgers.length > 1 ? [rentalFilter(ledgers)] : []}
      isInner
      title=" "
      filter={{ tenantId }}
      empty="Nothing is posted yet."
      sort={{ field: 'posted', order: 'DESC' }}
      rowClick="expand"
      expand={<LineDetails />}
      exportAs="Books"
    >
      <DataTable.Col source="posted" label="Posted" disableSort>
        <DayField source="postedOn" />
      </DataTable.Col>
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="description" label="Description" disableSort render={descriptionOf} />
      <DataTable.Col source="amount" label="Amount" align="right" disableSort field={MoneyField} />
      <DataTable.Col source="open" label="Open" align="right" disableSort field={MoneyField} />
      <DataTable.Col
        source="balance"
        label="Balance of the unit"
        align="right"
        disableSort
        field={MoneyField}
      />
    </OfficeList>
  );
}

function rentalFilter(ledgers: TenantFile['ledgers']) {
  return (
    <SelectInput
      key="ledgerId"
      source="ledgerId"
      label="Rental"
      emptyText="All rentals"
      alwaysOn
      choices={ledgers.map(({ ledgerId, unitName, movedInOn }) => ({
        id: ledgerId,
        name: `${unitName}, since ${formatDate(movedInOn)}`,
      }))}
    />
  );
}

/** What is wholly taken back, and with a sum what is in part. */
const takenBackWords: Record<TakenBackReason, string> = {
  refund: 'Refunded',
  return: 'Reversed: returned by the bank',
  nsf: 'Reversed: the check bounced',
  chargeback: 'Reversed: charged back',
  mistake: 'Reversed: a mistake',
  correction: 'Reversed: corrected by an import',
  moved: 'Moved to another rental',
  won: 'The dispute was won: counts again',
  lost: 'Reversed: charged back, and the dispute was lost',
};

function descriptionOf(line: BookLine) {
  const { description, amount, takenBack, paymentState } = line;
  return (
    <Stack
      direction="row"
      sx={{ columnGap: 1, alignItems: 'center', flexWrap: 'wrap', whiteSpace: 'normal' }}
    >
      <span>{description}</span>
      {takenBack.map(({ reason, amount: back }) => (
        <State
          key={reason}
          tone={reason === 'won' ? 'success' : 'error'}
        >{`${takenBackWords[reason]}${Math.abs(back) < -amount ? `, ${formatMoney(Math.abs(back))} of it` : ''}`}</State>
      ))}
      {paymentState === 'pending' && <State tone="warning">Pending at the bank</State>}
    </Stack>
  );
}

function LineDetails() {
  const line = useRecordContext<BookLine>();
  if (!line) return null;
  const { kind, amount, open, receiptNumber, settles, takenBack } = line;
  const isOpen = open !== null && open > 0;
  const hasRest = sumDollars(takenBack.map((back) => back.amount)) < -amount;
  return (
    <Stack sx={{ gap: 1, py: 1, alignItems: 'flex-start', whiteSpace: 'normal' }}>
      {settles.map(({ entryId, description, amount }) => (
        <Typography
          key={entryId}
          variant="body2"
        >{`${kind === 'charge' ? 'Settled by' : 'Settles'} ${description}: ${formatMoney(amount)}`}</Typography>
      ))}
      {settles.length === 0 && (
        <Typography variant="body2">
          {kind === 'charge' ? 'Nothing has settled it yet.' : 'It settles nothing.'}
        </Typography>
      )}
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {receiptNumber !== null && <ReceiptButton receiptNumber={receiptNumber} />}
        <Offers
          of={lineVerbs}
          place={{ line, hasRest }}
          ids={{
            ...(receiptNumber !== null && { receiptNumber }),
            ...(kind === 'credit' && { creditId: line.id }),
          }}
        />
        {kind === 'charge' && <WaiveCharge chargeId={line.id} most={isOpen ? open : line.amount} />}
      </Stack>
    </Stack>
  );
}

export function TenantMails({ tenantId }: OfTenant) {
  return (
    <OfficeList
      resource="mails"
      isInner
      title=" "
      filter={{ tenantId }}
      empty="No mail or text message was sent to this tenant yet."
      sort={{ field: 'queued', order: 'DESC' }}
    >
      <DataTable.Col source="queued" label="Queued" disableSort>
        <InstantField source="queuedAt" />
      </DataTable.Col>
      <DataTable.Col source="subject" label="Subject" disableSort />
      <DataTable.Col source="to" label="To" disableSort />
      <DataTable.Col label="About" disableSort render={mailOf} />
      <DataTable.Col label="State" disableSort render={mailStateOf} />
      <DataTable.Col source="sentAt" label="Sent" disableSort field={InstantField} />
    </OfficeList>
  );
}

/** Several records may have one address, and sign in with it. */
function mailOf(mail: MailRow) {
  return <span>{mail.isOfRecord ? 'This record' : 'The address'}</span>;
}

function mailStateOf(mail: MailRow) {
  if (mail.state !== 'undeliverable') return <span>{mail.state}</span>;
  return <State tone="error">{`Not deliverable (${mail.fault ?? ''})`}</State>;
}

export function TenantAudit({ tenantId }: OfTenant) {
  return (
    <OfficeList
      resource="audit"
      isInner
      title=" "
      filter={{ tenantId }}
      empty="Nothing is recorded about this tenant yet."
      sort={{ field: 'at', order: 'DESC' }}
    >
      <DataTable.Col source="at" label="When" disableSort field={InstantField} />
      <DataTable.Col source="by" label="Who" disableSort />
      <DataTable.Col label="What" disableSort field={AuditedAction} />
      <DataTable.Col source="details.why" label="Why" disableSort />
    </OfficeList>
  );
}
