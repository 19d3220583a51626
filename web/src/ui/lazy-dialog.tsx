import type { ButtonVariant } from './button.tsx';
import { DialogButton } from './dialog-button.tsx';
import type { FormDialogOwnProps } from './form-dialog.tsx';
import { LazyContent } from './lazy-content.tsx';
import { type LazyPart, lazyPart } from './lazy-part.tsx';

/** No part of the first load: a signed-in page fetches it when it is idle (app/idle-timer.tsx). */
const formDialog = lazyPart(() => import('./form-dialog.tsx'));

/** A dialog around a form; open as long as it is rendered. */
export function FormDialog<FormProps extends object>(props: FormDialogOwnProps<FormProps>) {
  // The type of its form's props passes through a lazy part unseen.
  const part = formDialog as unknown as LazyPart<FormDialogOwnProps<FormProps>>;
  return <LazyContent part={part} props={props} skeleton={null} />;
}

type FormDialogButtonProps<FormProps extends object> = Omit<
  FormDialogOwnProps<FormProps>,
  'onClose'
> & {
  label: string;
  /** Completes the label for screen readers: what it is about, such as `for A101`. */
  about: string;
  variant?: ButtonVariant;
  className?: string;
};

/**
 * The action of a row that opens a form dialog, whose form is fetched once a press is likely.
 */
export function FormDialogButton<FormProps extends object>({
  label,
  about,
  variant = 'quiet',
  className,
  ...dialog
}: FormDialogButtonProps<FormProps>) {
  function fetchAhead() {
    formDialog.fetchAhead();
    dialog.form.fetchAhead();
  }
  return (
    <DialogButton
      label={label}
      about={about}
      variant={variant}
      className={className}
      fetchAhead={fetchAhead}
    >
      {(close) => <FormDialog {...dialog} onClose={close} />}
    </DialogButton>
  );
}
