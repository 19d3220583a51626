import { beginSecondStep, confirmSecondStep } from '@gatehouse/contract/office/session';
import { Alert, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { Title } from 'react-admin';
import { call } from '#api/call.ts';
import { keepMe, useSession } from '#api/session.ts';
import { readForm } from '#parts/form-reader.ts';

/** Sets up the second step of sign-in with an authenticator app. */
export function SecondStep() {
  const { me } = useSession();
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);

  async function step(work: () => Promise<void>) {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError((failure as Error).message);
    } finally {
      setBusy(false);
    }
  }
  const begin = (password: string) =>
    step(async () => setSecret(await call(beginSecondStep, { body: { password } })));
  const confirm = (code: string) =>
    step(async () => {
      keepMe(await call(confirmSecondStep, { body: { code } }));
      setDone(true);
    });

  return (
    <Card variant="outlined" sx={{ maxWidth: 480, my: 2 }}>
      <Title title="Second step" />
      <CardContent>
        <Stack sx={{ gap: 2 }}>
          {isDone ? (
            <Alert severity="success">
              From now on you sign in with a code of your authenticator app.
            </Alert>
          ) : secret === null ? (
            <>
              <Typography>
                {me?.hasSecondStep
                  ? 'You have a second step. Set it up again for another phone: the old one counts until the new one is confirmed.'
                  : 'A code of an authenticator app protects your account where the password is known.'}
              </Typography>
              <OneField
                name="password"
                label="Your password"
                type="password"
                autoComplete="current-password"
                action="Continue"
                isBusy={isBusy}
                onSubmit={begin}
              />
            </>
          ) : (
            <>
              <Typography>Scan this with your authenticator app, or type the key.</Typography>
              <QRCodeSVG value={secret.uri} size={220} marginSize={2} title="QR code of the key" />
              <Typography component="code" sx={{ overflowWrap: 'anywhere' }}>
                {secret.secret}
              </Typography>
              <OneField
                name="code"
                label="Code of the app"
                type="text"
                autoComplete="one-time-code"
                action="Confirm"
                isBusy={isBusy}
                onSubmit={confirm}
              />
            </>
          )}
          {error !== null && (
            <Alert severity="error" role="alert">
              {error}
            </Alert>
          )}
        </Stack>
      </CardContent>
    </Card>
  );
}

type OneFieldProps = {
  name: string;
  label: string;
  type: 'text' | 'password';
  autoComplete: string;
  action: string;
  isBusy: boolean;
  onSubmit: (text: string) => Promise<void>;
};

function OneField({ name, label, type, autoComplete, action, isBusy, onSubmit }: OneFieldProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(readForm(event.currentTarget).password(name));
      }}
    >
      <Stack sx={{ gap: 2 }}>
        <TextField {...{ name, label, type, autoComplete }} required fullWidth />
        <Button type="submit" variant="contained" loading={isBusy}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
