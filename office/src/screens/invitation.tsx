import { acceptInvitation, readInvitation } from '@gatehouse/contract/office/session';
import { Button, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keepSignedIn } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { Failure } from '#parts/failure.tsx';
import { type FormReader, readForm } from '#parts/form-reader.ts';
import { useStep } from '#parts/use-step.ts';
import { CentredCard } from './sign-in.tsx';

/** Takes an invitation that was mailed: name and password, then the office. */
export function InvitationPage() {
  // The fragment of the link: it is sent to no server and is in no log.
  const [token] = useState(() => location.hash.slice(1));
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token } }, signal),
    retry: false,
  });
  const { step, isBusy, error: fault } = useStep();

  const accept = (form: FormReader) =>
    step(async () => {
      const { me } = await call(acceptInvitation, {
        body: {
          token,
          name: form.text('name'),
          password: form.password('password'),
        },
      });
      if (me !== null) keepSignedIn(me);
      // A member with a second step signs in with it next.
      // Loaded anew: react-admin keeps that the visitor was not signed in.
      location.replace(`/office/${me === null ? 'login' : me.mustEnrol ? 'account' : ''}`);
    });

  return (
    <CentredCard title="Welcome to the office">
      <Failure error={error?.message ?? null} />
      {data && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void accept(readForm(event.currentTarget));
          }}
        >
          <Stack sx={{ gap: 2 }}>
            <Typography>{`For ${data.email}, as ${data.role}.`}</Typography>
            <input type="hidden" name="username" autoComplete="username" value={data.email} />
            <TextField
              name="name"
              label="Your name"
              defaultValue={data.name ?? ''}
              autoComplete="name"
              required
              fullWidth
            />
            <TextField
              name="password"
              label="Password"
              type="password"
              helperText="12 characters or more."
              autoComplete="new-password"
              required
              fullWidth
            />
            <Failure error={fault} />
            <Button type="submit" variant="contained" size="large" loading={isBusy}>
              Continue
            </Button>
          </Stack>
        </form>
      )}
    </CentredCard>
  );
}
