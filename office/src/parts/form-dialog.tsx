import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  type DialogProps,
  DialogTitle,
  Typography,
} from '@mui/material';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';

type FormDialogProps = Omit<DialogProps, 'onClose'> & {
  /** Closes it; none while it may not be closed. */
  onClose: (() => void) | undefined;
  /** What was typed has been sent. */
  isDone?: boolean;
};

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * A dialog with a form. Where something was typed, Escape, the way back and a press outside ask
 * first.
 */
export function FormDialog({ onClose, isDone = false, children, ...props }: FormDialogProps) {
  const titleId = useId();
  const [isAsking, setAsking] = useState(false);
  const before = useRef(new Map<Control, string>());
  const isTyped = () =>
    !isDone &&
    [...before.current].some(([control, value]) => control.isConnected && control.value !== value);

  const back = useEffectEvent((event: PopStateEvent) => {
    if (!props.open || !isTyped()) return;
    event.stopImmediatePropagation();
    // The way forward again is none for the router either.
    addEventListener('popstate', (again) => again.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
    history.forward();
    setAsking(true);
  });
  useEffect(() => {
    addEventListener('popstate', back, { capture: true });
    return () => removeEventListener('popstate', back, { capture: true });
  }, []);

  return (
    <>
      <Dialog
        {...props}
        onClose={onClose && (() => (isTyped() ? setAsking(true) : onClose()))}
        onFocus={({ target }) => {
          if (isTextControl(target) && !before.current.has(target))
            before.current.set(target, target.value);
        }}
      >
        {children}
      </Dialog>
      <Dialog open={isAsking} onClose={() => setAsking(false)} aria-labelledby={titleId}>
        <DialogTitle id={titleId}>Discard what you entered?</DialogTitle>
        <DialogContent>
          <Typography>It has not been sent.</Typography>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Keep editing</Button>
          <Button
            color="error"
            onClick={() => {
              setAsking(false);
              onClose?.();
            }}
          >
            Discard
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function isTextControl(target: EventTarget): target is Control {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !/^(radio|checkbox|file|button)$/.test(target.type))
  );
}
