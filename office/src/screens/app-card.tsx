import { beginSecondStep, confirmSecondStep } from '@gatehouse/contract/office/session';
import { Alert, Button, Card, CardContent, Stack, Typography } from '@mui/material';
import { QRCodeSVG } from 'qrcode.react';
import { type ReactNode, useState } from 'react';
import { call } from '#api/call.ts';
import { prove } from '#api/passkey.ts';
import { keepMe } from '#api/session.ts';
import { CodeField } from '#parts/code-field.tsx';
import { Failure } from '#parts/failure.tsx';
import { type FormReader, readForm } from '#parts/form-reader.ts';
import { OwnProofFields, type OwnSteps, readProof } from '#parts/own-proof.tsx';
import { useStep } from '#parts/use-step.ts';

/** Sets up an authenticator app. */
export function AppCard({
  steps,
  onChange,
}: {
  steps: OwnSteps;
  onChange: () => Promise<unknown>;
}) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [isDone, setDone] = useState(false);
  const { step, isBusy, error } = useStep();
  const begin = (form: FormReader) =>
    step(async () =>
      setSecret(await call(beginSecondStep, { body: await prove(readProof(form)) })),
    );
  const confirm = (form: FormReader) =>
    step(async () => {
      keepMe(await call(confirmSecondStep, { body: { code: form.text('code') } }));
      setDone(true);
      await onChange();
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
                {steps.hasApp
                  ? 'You have one. Set it up again for another phone: the old one counts until the new one is confirmed.'
                  : 'After your password, a code of the app signs you in, on any device.'}
              </Typography>
              <StepForm action="Continue" isBusy={isBusy} onSubmit={begin}>
                <OwnProofFields {...steps} />
              </StepForm>
            </>
          ) : (
            <>
              <Typography>Scan this with your authenticator app, or type the key.</Typography>
              <QRCodeSVG value={secret.uri} size={220} marginSize={2} title="QR code of the key" />
              <Typography component="code" sx={{ overflowWrap: 'anywhere' }}>
                {secret.secret}
              </Typography>
              <StepForm action="Confirm" isBusy={isBusy} onSubmit={confirm}>
                <CodeField label="Code of the app" />
              </StepForm>
            </>
          )}
          <Failure error={error} />
        </Stack>
      </CardContent>
    </Card>
  );
}

type StepFormProps = {
  action: string;
  isBusy: boolean;
  onSubmit: (form: FormReader) => Promise<void>;
  children: ReactNode;
};

function StepForm({ action, isBusy, onSubmit, children }: StepFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(readForm(event.currentTarget));
      }}
    >
      <Stack sx={{ gap: 2 }}>
        {children}
        <Button type="submit" variant="contained" loading={isBusy}>
          <span>{action}</span>
        </Button>
      </Stack>
    </form>
  );
}
