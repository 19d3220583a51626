import { TextField } from '@mui/material';
import type { Ref } from 'react';

type Props = { label: string; helperText?: string; required?: boolean; inputRef?: Ref<Element> };

/** The field for a code of an authenticator app. */
export function CodeField({ required = true, ...props }: Props) {
  return (
    <TextField
      name="code"
      autoComplete="one-time-code"
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      required={required}
      fullWidth
      {...props}
    />
  );
}
