import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney } from '@gatehouse/contract/money';
import { PAY_LINK_DAYS } from '@gatehouse/contract/pay-links';
import { Alert, Button, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { BooleanInput, SelectInput, required } from 'react-admin';
import { anyAction } from '#parts/action-dialog.tsx';
import { formatInstant } from '#parts/format.tsx';
import type { OfRecord } from './offers.tsx';

/** A link for a card or bank account, because staff type no number. */
export function sendPayLink({ tenant: { ledgers, email } }: OfRecord) {
  const owing = ledgers.filter(({ balance }) => balance > 0);
  const [first] = owing.toSorted((a, b) => b.balance - a.balance);
  if (first === undefined) return null;
  return anyAction({
    action: officeVerbs['payLinks.create'],
    label: 'Send a pay link',
    explanation: `Anyone with the link can pay one rental by card or bank account, once, for ${PAY_LINK_DAYS} days. It sets up no autopay.`,
    defaultValues: { ledgerId: first.ledgerId, isMailed: true, why: 'Asked for a pay link' },
    inputs: {
      ledgerId: (
        <SelectInput
          source="ledgerId"
          label="Rental"
          validate={required('Name a rental.')}
          choices={owing.map(({ ledgerId, unitName, balance }) => ({
            id: ledgerId,
            name: `${unitName}, owes ${formatMoney(balance)}`,
          }))}
        />
      ),
      isMailed: <BooleanInput source="isMailed" label={`Mail it to ${email}`} />,
    },
    describe: ({ unitName, amount, endsAt, url, mailedTo }, isDone) => (
      <Stack sx={{ gap: 1.5 }}>
        <Typography>{`${formatMoney(amount)} of ${unitName}, until ${formatInstant(endsAt)}.`}</Typography>
        {mailedTo !== null && (
          <Typography>{`${isDone ? 'The link is mailed to' : 'The link will be mailed to'} ${mailedTo}.`}</Typography>
        )}
        {url !== null && <CopyLink url={url} />}
      </Stack>
    ),
  });
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
