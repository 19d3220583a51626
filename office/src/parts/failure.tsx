import { Alert, type SxProps } from '@mui/material';

/** Why an attempt failed, read out and in view; nothing where none did. */
export function Failure({ error, sx }: { error: string | null; sx?: SxProps }) {
  return error === null ? null : (
    <Alert severity="error" role="alert" ref={bringIntoView} sx={sx}>
      {error}
    </Alert>
  );
}

function bringIntoView(failure: HTMLElement | null): void {
  failure?.scrollIntoView({ block: 'nearest' });
}
