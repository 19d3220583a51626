import {
  changeRecipient,
  type FacilityFile,
  type RecipientKind,
  recipientTitles,
} from '@gatehouse/contract/office/settings';
import { Box, Button, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Failure } from '#parts/failure.tsx';
import { Section } from '#parts/section.tsx';
import { useStep } from '#parts/use-step.ts';

type Recipient = { kind: RecipientKind | null; address: string };

const EVERY = 'Requests and notices of every kind';
const kinds = Object.entries(recipientTitles) as [RecipientKind, string][];

/** Who is mailed what of a facility; each address is added and removed at once. */
export function Recipients({
  facility: {
    id: facilityId,
    recipients,
    settings: { email },
  },
  onChange,
}: {
  facility: FacilityFile;
  onChange: () => void;
}) {
  const { step, isBusy, error } = useStep();

  const change = (body: Recipient & { isRemoved: boolean }, onDone?: () => void) =>
    step(async () => {
      await call(changeRecipient, { params: { facilityId }, body });
      onDone?.();
      onChange();
    });

  return (
    <Section title="Who is mailed what" label="Mails">
      <Typography
        color="text.secondary"
        sx={{ mb: 1 }}
      >{`Mails at 07:00 go by the clock of the facility. Requests without an address here go to ${email ?? 'nobody: the facility has no email'}.`}</Typography>
      <List recipients={recipients} onRemove={(one) => void change({ ...one, isRemoved: true })} />
      <Adding
        onAdd={(one, onDone) => void change({ ...one, isRemoved: false }, onDone)}
        isBusy={isBusy}
      />
      <Failure error={error} />
    </Section>
  );
}

function List({
  recipients,
  onRemove,
}: {
  recipients: FacilityFile['recipients'];
  onRemove: (recipient: Recipient) => void;
}) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {recipients.map((one) => (
        <Stack
          key={one.id}
          component="li"
          direction="row"
          sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}
        >
          <Typography
            sx={{ overflowWrap: 'anywhere' }}
          >{`${one.kind === null ? EVERY : recipientTitles[one.kind]}: ${one.address}`}</Typography>
          <Button
            color="error"
            aria-label={`Remove ${one.address} from ${one.kind === null ? EVERY : recipientTitles[one.kind]}`}
            onClick={() => onRemove({ kind: one.kind, address: one.address })}
          >
            Remove
          </Button>
        </Stack>
      ))}
    </Box>
  );
}

function Adding({
  onAdd,
  isBusy,
}: {
  onAdd: (recipient: Recipient, onDone: () => void) => void;
  isBusy: boolean;
}) {
  const [kind, setKind] = useState<RecipientKind | ''>('morning_late');
  const [address, setAddress] = useState('');
  return (
    <Stack
      component="form"
      direction={{ xs: 'column', sm: 'row' }}
      sx={{ gap: 1, mt: 2, alignItems: { sm: 'flex-start' } }}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd({ kind: kind === '' ? null : kind, address }, () => setAddress(''));
      }}
    >
      <TextField
        select
        label="Mail"
        value={kind}
        onChange={({ target }) => setKind(target.value as RecipientKind | '')}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        {kinds.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
        <option value="">{EVERY}</option>
      </TextField>
      <TextField
        label="Address"
        type="email"
        required
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <Button type="submit" variant="outlined" loading={isBusy}>
        Add
      </Button>
    </Stack>
  );
}
