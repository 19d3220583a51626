import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { formatMoney } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import { payLinkStates, type PayLinkRow } from '@gatehouse/contract/staff-pay-links';
import { Alert, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { BooleanInput, SelectInput, required } from 'react-admin';
import { formatInstant, State } from '#parts/format.tsx';
import { MoneyInput } from '#parts/money-input.tsx';
import { VerbButton } from '#parts/verb-dialog.tsx';

/** A link for a card or bank account, because staff type no number. */
export function SendPayLink({ tenant: { ledgers, email } }: { tenant: TenantFile }) {
  const owing = ledgers.filter(({ balance }) => balance > 0);
  const [first] = owing.toSorted((a, b) => b.balance - a.balance);
  if (first === undefined) return null;
  return (
    <VerbButton
      verb="payLinks.create"
      label="Send a pay link"
      variant="outlined"
      explanation={`Whoever has the link can pay one rental by card or bank account, once, for ${PAY_LINK_DAYS} days. It sets up no autopay.`}
      defaultValues={{
        ledgerId: first.ledgerId,
        amount: '',
        isMailed: true,
        why: 'Asked for a pay link',
      }}
      toBody={(form) => ({
        ledgerId: form.text('ledgerId'),
        ...form.optionalAmount('amount'),
        isMailed: form.isYes('isMailed'),
      })}
      describe={({ unitName, amount, endsAt, url, mailedTo }, isDone) => (
        <Stack sx={{ gap: 1.5 }}>
          <Typography>{`${formatMoney(amount)} of ${unitName}, until ${formatInstant(endsAt)}.`}</Typography>
          {mailedTo !== null && (
            <Typography>{`${isDone ? 'The link is mailed to' : 'The link will be mailed to'} ${mailedTo}.`}</Typography>
          )}
          {url !== null && <CopyLink url={url} />}
        </Stack>
      )}
    >
      <SelectInput
        source="ledgerId"
        label="Rental"
        validate={required('Name a rental.')}
        choices={owing.map(({ ledgerId, unitName, balance }) => ({
          id: ledgerId,
          name: `${unitName}, owes ${formatMoney(balance)}`,
        }))}
      />
      <MoneyInput
        source="amount"
        label="Amount"
        isOptional
        helperText="All that is owed where it is empty."
      />
      <BooleanInput source="isMailed" label={`Mail it to ${email}`} />
    </VerbButton>
  );
}

/** The address of a new link, which is shown this once. */
function CopyLink({ url }: { url: string }) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      setSaid('copied');
    } catch {
      setSaid('failed');
    }
  }
  return (
    <Stack sx={{ gap: 1 }}>
      <TextField
        label="Pay link"
        value={url}
        fullWidth
        slotProps={{ htmlInput: { readOnly: true } }}
        onFocus={({ target }) => target.select()}
      />
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <Button variant="outlined" onClick={() => void copy()}>
          Copy the link
        </Button>
        <Typography role="status">{`${said === 'copied' ? 'Copied.' : ''}${said === 'failed' ? 'It could not be copied. Select it and copy it by hand.' : ''}`}</Typography>
      </Stack>
      <Alert severity="info">The link is shown this once. If it is lost, make another one.</Alert>
    </Stack>
  );
}

/** The pay links of a tenant record; one that can be paid has a button that ends it. */
export function PayLinks({ tenant: { payLinks } }: { tenant: TenantFile }) {
  if (payLinks.length === 0) return null;
  return (
    <Card variant="outlined" component="section" aria-label="Pay links">
      <CardContent>
        <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
          Pay links
        </Typography>
        <Stack component="ul" sx={{ gap: 1, m: 0, p: 0 }}>
          {payLinks.map((link) => (
            <PayLink key={link.payLinkId} link={link} />
          ))}
        </Stack>
      </CardContent>
    </Card>
  );
}

function PayLink({ link }: { link: PayLinkRow }) {
  const { payLinkId, unitName, amount, left, by, createdAt, endsAt, state } = link;
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', listStyle: 'none' }}
    >
      <span>{`${formatMoney(amount)} of ${unitName}, by ${by}, ${formatInstant(createdAt)}${state === 'open' && left < amount ? `, ${formatMoney(left)} is left` : ''}${state === 'open' ? `, until ${formatInstant(endsAt)}` : ''}`}</span>
      <State tone={state === 'open' ? 'success' : 'default'}>{payLinkStates[state]}</State>
      {state === 'open' && (
        <VerbButton
          verb="payLinks.revoke"
          label="Revoke"
          explanation="The link does not work from then on. A payment by it that has begun is completed."
          toBody={() => ({ payLinkId })}
          describe={(revoked, isDone) => (
            <Typography>{`The link for ${formatMoney(revoked.amount)} of ${revoked.unitName} ${isDone ? 'is revoked.' : 'will be revoked.'}`}</Typography>
          )}
          isDanger
        />
      )}
    </Stack>
  );
}
