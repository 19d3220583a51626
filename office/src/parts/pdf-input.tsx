import { FormHelperText, Typography } from '@mui/material';
import { useState } from 'react';
import { useInput } from 'react-admin';
import { dataUrlOf } from './data-url.ts';

/** An input of a file, which must be given; its value is the PDF as a data URL. */
export function PdfInput({
  source,
  label,
  mostBytes,
}: {
  source: string;
  label: string;
  mostBytes: number;
}) {
  const [missing, setMissing] = useState('Choose a PDF.');
  const { id, field, fieldState } = useInput({
    source,
    defaultValue: '',
    validate: (value: unknown) => (value === '' ? missing : undefined),
  });
  const fault = fieldState.invalid ? missing : undefined;
  async function take(file: File | undefined): Promise<void> {
    if (file === undefined || file.size <= mostBytes) {
      setMissing('Choose a PDF.');
      field.onChange(file === undefined ? '' : await dataUrlOf(file));
    } else {
      setMissing(`The PDF is larger than ${mostBytes / 1024 / 1024} MB.`);
      field.onChange('');
    }
  }
  return (
    <div>
      <Typography component="label" htmlFor={id} sx={{ display: 'block', mb: 0.5 }}>
        {label}
      </Typography>
      <input
        id={id}
        type="file"
        accept=".pdf,application/pdf"
        aria-required
        aria-invalid={fieldState.invalid}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => void take(target.files?.[0])}
      />
      <FormHelperText id={`${id}-fault`} error>
        {fault}
      </FormHelperText>
    </div>
  );
}
