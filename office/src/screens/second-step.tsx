import { beginSecondStep, confirmSecondStep } from '@gatehouse/contract/office/session';
import { getSecondSteps } from '@gatehouse/contract/office/passkeys';
import { Alert, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { Title } from 'react-admin';
import { call } from '#api/call.ts';
import { keepMe } from '#api/session.ts';
import { Failure } from '#parts/failure.tsx';
import { readForm } from '#parts/form-reader.ts';
import { useStep } from '#parts/use-step.ts';
import { PasskeysCard } from './passkeys-card.tsx';

/** Sets up the second step of sign-in: an authenticator app, passkeys, or both. */
export function SecondStep() {
  const { data, error, refetch } = useQuery({
    queryKey: ['second-steps'],
    queryFn: ({ signal }) => call(getSecondSteps, {}, signal),
  });
  return (
    <Stack sx={{ gap: 2, my: 2, maxWidth: 560 }}>
      <Title title="Second step" />
      <Failure error={error?.message ?? null} />
      {data && (
        <>
          <PasskeysCard passkeys={data.passkeys} onChange={refetch} />
          <AppCard hasApp={data.hasApp} />
        </>
      )}
    </Stack>
  );
}

/** Sets up an authenticator app. */
function AppCard({ hasApp }: { hasApp: boolean }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [isDone, setDone] = useState(false);
  const { step, isBusy, error } = useStep();
  const begin = (password: string, oldCode: string) =>
    step(async () =>
      setSecret(
        await call(beginSecondStep, {
          body: { password, ...(oldCode !== '' && { code: oldCode }) },
        }),
      ),
    );
  const confirm = (code: string) =>
    step(async () => {
      keepMe(await call(confirmSecondStep, { body: { code } }));
      setDone(true);
    });

  return (
    <Card variant="outlined" component="section" aria-labelledby="app">
      <CardContent>
        <Stack sx={{ gap: 2 }}>
          <Typography id="app" variant="h6" component="h2">
            Authenticator app
          </Typography>
          {isDone ? (
            <Alert severity="success">
              From now on a code of your authenticator app is a second step of your sign-in.
            </Alert>
          ) : secret === null ? (
            <>
              <Typography>
                {hasApp
                  ? 'You have one. Set it up again for another phone: the old one counts until the new one is confirmed.'
                  : 'After your password, a code of the app signs you in, on any device.'}
              </Typography>
              <OneField
                name="password"
                label="Your password"
                type="password"
                autoComplete="current-password"
                action="Continue"
                isCodeAsked={hasApp}
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
          <Failure error={error} />
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
  /** Whether a code of the present app is asked for as well. */
  isCodeAsked?: boolean;
  onSubmit: (text: string, oldCode: string) => Promise<void>;
};

function OneField({
  name,
  label,
  type,
  autoComplete,
  action,
  isBusy,
  isCodeAsked = false,
  onSubmit,
}: OneFieldProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = readForm(event.currentTarget);
        void onSubmit(form.password(name), isCodeAsked ? form.password('old-code') : '');
      }}
    >
      <Stack sx={{ gap: 2 }}>
        <TextField
          name={name}
          label={label}
          type={type}
          autoComplete={autoComplete}
          required
          fullWidth
        />
        {isCodeAsked && (
          <TextField
            name="old-code"
            label="Code of your present app"
            autoComplete="one-time-code"
            required
            fullWidth
          />
        )}
        <Button type="submit" variant="contained" loading={isBusy}>
          <span>{action}</span>
        </Button>
      </Stack>
    </form>
  );
}
