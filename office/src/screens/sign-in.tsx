import type { SecondStep } from '@gatehouse/contract/office/session';
import { Box, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { type ReactNode, useRef, useState } from 'react';
import { HttpError, useLogin, useNotify } from 'react-admin';
import { brand } from '../../../web/src/brand/brand.ts';
import { SecondStepNeeded, type SignIn } from '#api/auth-provider.ts';
import { answerByPasskey, NoPasskey } from '#api/passkey.ts';
import { CodeField } from '#parts/code-field.tsx';
import { Failure } from '#parts/failure.tsx';
import { type FormReader, readForm } from '#parts/form-reader.ts';

/** The page that is shown to a visitor who is not signed in. */
export function SignInPage() {
  const login = useLogin();
  return (
    <CentredCard title={`${brand.shortName} office`}>
      <SignInForm onSubmit={(given) => login(given)} />
    </CentredCard>
  );
}

/** A page of one card, before a member is signed in. */
export function CentredCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="main" sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center', p: 2 }}>
      <Card variant="outlined" sx={{ width: '100%', maxWidth: 420 }}>
        <CardContent sx={{ p: 3 }}>
          <Typography component="h1" variant="h6" sx={{ mb: 2, fontWeight: 650 }}>
            {title}
          </Typography>
          {children}
        </CardContent>
      </Card>
    </Box>
  );
}

type SignInFormProps = {
  /** Whose session ended, where it is renewed; the address cannot be changed then. */
  email?: string;
  onSubmit: (given: SignIn) => Promise<unknown>;
};

/** Submits the form, and again with the second step that the server asks for. */
function useSignIn(email: string | undefined, onSubmit: SignInFormProps['onSubmit']) {
  const notify = useNotify();
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const question = secondStep?.passkey ?? null;

  async function given(form: FormReader, usesPasskey: boolean): Promise<SignIn> {
    if (usesPasskey && question === null) return 'byPasskey';
    return {
      email: email ?? form.text('email'),
      password: form.password('password'),
      ...(usesPasskey && question !== null
        ? { passkey: await answerByPasskey(question) }
        : form.optionalText('code')),
    };
  }

  async function submit(form: FormReader, usesPasskey: boolean) {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await onSubmit(await given(form, usesPasskey));
    } catch (failure) {
      if (failure instanceof SecondStepNeeded) {
        const { secondStep: needed, message } = failure;
        setSecondStep(needed);
        if (needed.hasApp || needed.passkey !== null) notify(message, { type: 'info' });
        else setError(message);
      } else {
        // A question is answered once: the password leads to a new one.
        if (usesPasskey && !(failure instanceof NoPasskey)) setSecondStep(null);
        setError(
          failure instanceof HttpError || failure instanceof NoPasskey
            ? failure.message
            : 'Sign-in failed. Try again.',
        );
      }
    } finally {
      setBusy(false);
    }
  }

  return { submit, secondStep, question, isBusy, error };
}

/**
 * A passkey, or email and password and then the second step where the account has one: a code of an
 * authenticator app or a passkey, whichever it has.
 */
export function SignInForm({ email, onSubmit }: SignInFormProps) {
  const { submit, secondStep, question, isBusy, error } = useSignIn(email, onSubmit);
  const isPasskeyAlone = question !== null && !secondStep?.hasApp;
  const isPasskeyOffered = secondStep === null || (secondStep.hasApp && question !== null);
  const form = useRef<HTMLFormElement>(null);

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(readForm(event.currentTarget), isPasskeyAlone);
      }}
    >
      <Stack sx={{ gap: 2 }}>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          required
          fullWidth
          {...(email !== undefined && { value: email, disabled: true })}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          fullWidth
        />
        {secondStep?.hasApp && (
          <CodeField
            label="Code"
            helperText="6 digits, from your authenticator app."
            inputRef={focus}
          />
        )}
        <Failure error={error} />
        <Button type="submit" variant="contained" size="large" loading={isBusy}>
          <span>{isPasskeyAlone ? 'Use a passkey' : 'Sign in'}</span>
        </Button>
        {isPasskeyOffered && (
          <Button
            variant="outlined"
            size="large"
            disabled={isBusy}
            onClick={() => void submit(readForm(form.current!), true)}
          >
            Use a passkey
          </Button>
        )}
      </Stack>
    </form>
  );
}

function focus(input: HTMLElement | null): void {
  input?.focus();
}
