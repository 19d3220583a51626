import { Alert, Box, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { HttpError, useLogin, useNotify } from 'react-admin';
import { brand } from '../../../web/src/brand/brand.ts';
import { CodeNeeded, type SignIn } from '#api/auth-provider.ts';
import { type FormReader, readForm } from '#parts/form-reader.ts';

/** The page that is shown to who is not signed in. */
export function SignInPage() {
  const login = useLogin();
  return (
    <CentredCard title={`${brand.shortName} office`}>
      <SignInForm onSubmit={(given) => login(given)} />
    </CentredCard>
  );
}

/** A page of one card, before anybody is signed in. */
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

/** Email and password, then the code of the second step where the account has one. */
export function SignInForm({ email, onSubmit }: SignInFormProps) {
  const notify = useNotify();
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(form: FormReader) {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await onSubmit({
        email: email ?? form.text('email'),
        password: form.password('password'),
        ...(needsCode && { code: form.text('code') }),
      });
    } catch (failure) {
      if (failure instanceof CodeNeeded) {
        setNeedsCode(true);
        notify(failure.message, { type: 'info' });
      } else {
        setError(failure instanceof HttpError ? failure.message : 'Sign-in failed. Try again.');
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(readForm(event.currentTarget));
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
        {needsCode && (
          <TextField
            name="code"
            label="Code"
            helperText="6 digits, from your authenticator app."
            autoComplete="one-time-code"
            slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
            required
            fullWidth
            inputRef={focus}
          />
        )}
        {error !== null && (
          <Alert severity="error" role="alert">
            {error}
          </Alert>
        )}
        <Button type="submit" variant="contained" size="large" loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function focus(input: HTMLElement | null): void {
  input?.focus();
}
