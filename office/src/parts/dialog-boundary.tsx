import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { Component, type ReactNode, useState } from 'react';

/** What became of the action of a dialog. */
type Progress = 'none' | 'sent' | 'done';

type DialogBoundaryProps = {
  /** The title of what is shown in place of the dialog. */
  label: string;
  onClose: (isDone: boolean) => void;
  /** The dialog, which says by `onProgress` that its action is sent and that it is done. */
  children: (onProgress: (progress: Progress) => void) => ReactNode;
};

/** A dialog of an action; where it fails to render, it is said what became of the action. */
export function DialogBoundary({ label, onClose, children }: DialogBoundaryProps) {
  const [progress, setProgress] = useState<Progress>('none');
  const broken = (
    <Broken label={label} progress={progress} close={() => onClose(progress === 'done')} />
  );
  return <ErrorBoundary fallback={broken}>{children(setProgress)}</ErrorBoundary>;
}

const sentences: Record<Progress, string> = {
  none: 'This could not be shown. Nothing was done.',
  sent: 'This could not be shown to its end. Look whether it is done before you do it again.',
  done: 'Done. What it came to could not be shown.',
};

type BrokenProps = { label: string; progress: Progress; close: () => void };

function Broken({ label, progress, close }: BrokenProps) {
  return (
    <Dialog open onClose={close} aria-labelledby="dialog-broken">
      <DialogTitle id="dialog-broken">{label}</DialogTitle>
      <DialogContent>
        <Alert severity={progress === 'done' ? 'success' : 'warning'} role="alert">
          {sentences[progress]}
        </Alert>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" ref={focusOnMount} onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Focuses the next step of a dialog, which Enter then takes. */
export function focusOnMount(button: HTMLElement | null): void {
  button?.focus();
}

class ErrorBoundary extends Component<{ fallback: ReactNode; children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
