import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

type DialogButtonProps = {
  label: string;
  /** Completes the label for screen readers: what it is about, such as `for A101`. */
  about: string;
  /** Gets the dialog's content ahead of its opening. */
  fetchAhead?: () => void;
  className?: string;
  /** The dialog; it stays open until it calls `close`. */
  children: (close: () => void) => ReactNode;
};

/** The quiet action of a row that opens a dialog. */
export function DialogButton({ label, about, fetchAhead, className, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        className={className}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => setOpen(true)}
      >
        {/* One text, so that what is read out has its space. */}
        <span>
          {label}
          <span className="sr-only"> {about}</span>
        </span>
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
