import { removeStaffPasskey, renameStaffPasskey } from '@gatehouse/contract/office/passkeys';
import { PASSKEY_NAME_LENGTH, type Passkey } from '@gatehouse/contract/passkeys';
import {
  Button,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { type ReactNode, useId, useRef, useState } from 'react';
import { HttpError, useNotify } from 'react-admin';
import { call } from '#api/call.ts';
import { addPasskey, forgetPasskey, prove } from '#api/passkey.ts';
import { askToSignIn, keepMe } from '#api/session.ts';
import { Failure } from '#parts/failure.tsx';
import { FormDialog } from '#parts/form-dialog.tsx';
import { type FormReader, readForm } from '#parts/form-reader.ts';
import { formatInstant } from '#parts/format.tsx';
import { OwnProofFields, readProof } from '#parts/own-proof.tsx';
import { AccountCard, AccountRow, AccountRows } from './account-card.tsx';

type Steps = { hasApp: boolean; passkeys: Passkey[] };
type Props = { steps: Steps; onChange: () => Promise<unknown> };

/** The passkeys of the account, each of which is a second step: added, renamed, removed. */
export function PasskeysCard({ steps, onChange }: Props) {
  const { passkeys } = steps;
  const notify = useNotify();
  const card = useRef<HTMLDivElement>(null);

  async function say(text: string) {
    await onChange();
    notify(text, { type: 'success' });
  }
  return (
    <AccountCard id="passkeys" title="Passkeys" card={card}>
      <Typography>
        Your finger, your face or the PIN of your device or security key signs you in, without
        password and code.
      </Typography>
      {passkeys.length === 0 ? (
        <Typography color="text.secondary">You have no passkey yet.</Typography>
      ) : (
        <AccountRows>
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              passkey={passkey}
              steps={steps}
              onRenamed={() => say('The passkey has its new name.')}
              onRemoved={async () => {
                await say(`The passkey “${passkey.name}” is removed.`);
                // Its button is gone.
                card.current?.focus();
              }}
            />
          ))}
        </AccountRows>
      )}
      <PasskeyDialog
        label="Add a passkey"
        variant="contained"
        action="Add"
        onSubmit={async (form) => {
          await addPasskey(form.text('name'), readProof(form));
          return () => say('The passkey is added.');
        }}
      >
        <Typography>
          It is made on this device. Do not add one on a device that others unlock too.
        </Typography>
        <NameField
          defaultValue={matchMedia('(pointer: coarse)').matches ? 'This phone' : 'This computer'}
        />
        <OwnProofFields {...steps} />
      </PasskeyDialog>
    </AccountCard>
  );
}

type RowProps = {
  passkey: Passkey;
  steps: Steps;
  onRenamed: () => Promise<void>;
  onRemoved: () => Promise<void>;
};

function Row({ passkey, steps, onRenamed, onRemoved }: RowProps) {
  const { id: passkeyId, name, createdAt, lastUsedAt, isSynced } = passkey;
  const params = { passkeyId };
  const about = `the passkey “${name}”`;
  return (
    <AccountRow
      title={name}
      about={[
        `Added ${formatInstant(createdAt)}${lastUsedAt !== null ? ` · Last used ${formatInstant(lastUsedAt)}` : ''}${isSynced ? ' · On all your devices' : ''}`,
      ]}
    >
      <PasskeyDialog
        label="Rename"
        about={about}
        onSubmit={async (form) => {
          await call(renameStaffPasskey, { params, body: { name: form.text('name') } });
          return onRenamed;
        }}
      >
        <NameField defaultValue={name} />
      </PasskeyDialog>
      <PasskeyDialog
        label="Remove"
        about={about}
        isDanger
        onSubmit={async (form) => {
          const body = await prove(readProof(form));
          keepMe(await call(removeStaffPasskey, { params, body }));
          await forgetPasskey(passkey.credentialId);
          return onRemoved;
        }}
      >
        <Typography
          sx={{ overflowWrap: 'anywhere' }}
        >{`“${name}” will no longer sign in to the office. Your device may still offer it: delete it in the device’s own settings too.`}</Typography>
        <OwnProofFields {...steps} />
      </PasskeyDialog>
    </AccountRow>
  );
}

function NameField({ defaultValue }: { defaultValue: string }) {
  return (
    <TextField
      name="name"
      label="Name"
      defaultValue={defaultValue}
      autoComplete="off"
      slotProps={{ htmlInput: { maxLength: PASSKEY_NAME_LENGTH } }}
      required
      fullWidth
    />
  );
}

type PasskeyDialogProps = {
  label: string;
  /** What the button is about, where it is next to others of its label. */
  about?: string;
  variant?: 'contained' | 'text';
  /** The button that does it; `label` where none is given. */
  action?: string;
  isDanger?: boolean;
  /** Answers what is done once the dialog is closed. */
  onSubmit: (form: FormReader) => Promise<() => Promise<void>>;
  children: ReactNode;
};

/** A button and its dialog, which stays open with the sentence of a refusal. */
function PasskeyDialog({
  label,
  about,
  variant = 'text',
  action = label,
  isDanger = false,
  onSubmit,
  children,
}: PasskeyDialogProps) {
  const titleId = useId();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const color = isDanger ? 'error' : 'primary';

  async function submit(form: FormReader) {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      const then = await onSubmit(form);
      setOpen(false);
      await then();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  }
  const isStale = failure instanceof HttpError && failure.status === 403;

  return (
    <>
      <Button
        color={color}
        variant={variant}
        {...(about !== undefined && { 'aria-label': `${label} ${about}` })}
        onClick={() => {
          setFailure(null);
          setOpen(true);
        }}
      >
        <span>{label}</span>
      </Button>
      <FormDialog
        open={isOpen}
        onClose={isBusy ? undefined : () => setOpen(false)}
        aria-labelledby={titleId}
        fullWidth
        maxWidth="xs"
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit(readForm(event.currentTarget));
          }}
        >
          <DialogTitle id={titleId}>{about === undefined ? label : `${label} passkey`}</DialogTitle>
          <DialogContent>
            <Stack sx={{ gap: 2, pt: 1 }}>
              {children}
              <Failure error={failure?.message ?? null} />
              {isStale && <Button onClick={() => void askToSignIn()}>Sign in again</Button>}
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button disabled={isBusy} onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="contained" color={color} loading={isBusy}>
              <span>{action}</span>
            </Button>
          </DialogActions>
        </form>
      </FormDialog>
    </>
  );
}
