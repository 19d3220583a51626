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
import { wayBack } from './way-back.ts';

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
  const isReturning = useRef(false);
  const isTyped = () =>
    !isDone &&
    [...before.current].some(([control, value]) => control.isConnected && control.value !== value);

  const hold = useEffectEvent(() => {
    if (!isReturning.current && !isTyped()) return false;
    // The return is no way of the router either.
    isReturning.current = !isReturning.current;
    if (isReturning.current) {
      history.forward();
      setAsking(true);
    }
    return true;
  });
  useEffect(() => {
    const others = wayBack.isHeld;
    wayBack.isHeld = () => hold() || others();
    return () => void (wayBack.isHeld = others);
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
          <Typography>What was not sent will be lost.</Typography>
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
