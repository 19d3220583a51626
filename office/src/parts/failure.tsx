import { Alert, Button, type SxProps } from '@mui/material';

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

type LoadFailureProps = { onTryAgain: () => unknown; children: string };

/** Why something could not be loaded, with a button that tries again. */
export function LoadFailure({ onTryAgain, children }: LoadFailureProps) {
  return (
    <Alert severity="error" action={<Button onClick={() => void onTryAgain()}>Try again</Button>}>
      {children}
    </Alert>
  );
}
