import { type ReactNode, useState } from 'react';
import { Button, type ButtonVariant } from './button.tsx';

type OpenButtonProps = {
  label: string;
  /** Completes the label for screen readers: what it is about, such as `for A101`. */
  about: string;
  variant?: ButtonVariant;
  /** Gets the dialog's content ahead of its opening. */
  fetchAhead?: (() => void) | undefined;
  className?: string | undefined;
  onOpen: () => void;
};

/** Opens a dialog, whose content is fetched once a press is likely. */
export function OpenButton({
  label,
  about,
  variant = 'quiet',
  fetchAhead,
  className,
  onOpen,
}: OpenButtonProps) {
  return (
    <Button
      variant={variant}
      className={className}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onClick={onOpen}
    >
      {/* One text, so that what is read out has its space. */}
      <span>
        <span>{label}</span>
        <span className="sr-only"> {about}</span>
      </span>
    </Button>
  );
}

type DialogButtonProps = Omit<OpenButtonProps, 'onOpen'> & {
  /** The dialog; it stays open until it calls `close`. */
  children: (close: () => void) => ReactNode;
};

/** The action of a row that opens a dialog. */
export function DialogButton({ children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OpenButton {...button} onOpen={() => setOpen(true)} />
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
