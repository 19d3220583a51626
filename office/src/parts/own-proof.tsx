import { TextField, Typography } from '@mui/material';
import type { TypedProof } from '#api/passkey.ts';
import { CodeField } from './code-field.tsx';
import type { FormReader } from './form-reader.ts';

/** What the account of the member has as a second step. */
export type OwnSteps = { hasApp: boolean; passkeys: readonly unknown[] };

/**
 * The fields by which a member proves password and second step before that changes. A passkey is
 * asked for by the browser where no code is typed.
 */
export function OwnProofFields({ hasApp, passkeys }: OwnSteps) {
  const isCodeChoice = passkeys.length > 0;
  return (
    <>
      <TextField
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        fullWidth
      />
      {hasApp && (
        <CodeField
          label="Code of your present app"
          required={!isCodeChoice}
          {...(isCodeChoice && { helperText: 'Leave it empty to use a passkey.' })}
        />
      )}
      {!hasApp && isCodeChoice && (
        <Typography color="text.secondary">Your device then asks for your passkey.</Typography>
      )}
    </>
  );
}

/** What was typed in them. */
export function readProof(form: FormReader): TypedProof {
  return { password: form.password('password'), ...form.optionalText('code') };
}
