import { t } from '@gatehouse/language/t';
import {
  type ReactNode,
  type SubmitEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { Alert, Failure } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog, DialogActions, DialogTitle } from './dialog.tsx';
import { LazyContent } from './lazy-content.tsx';
import type { LazyPart } from './lazy-part.tsx';

/** What the content of a form dialog is given besides its own props. */
export type FormDialogProps = {
  onClose: () => void;
  /** While busy nothing closes the dialog. */
  onBusy: (isBusy: boolean) => void;
};

export type FormDialogOwnProps<FormProps extends object> = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  mayBeCovered?: boolean;
  /** Lazy because of the forms library. */
  form: LazyPart<FormProps & FormDialogProps>;
  formProps: FormProps;
};

/**
 * A dialog around a form that is fetched when it is opened. It is open as long as it is rendered.
 */
export default function FormDialog<FormProps extends object>({
  title,
  description,
  onClose,
  mayBeCovered = false,
  form,
  formProps,
}: FormDialogOwnProps<FormProps>) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      busy={isBusy}
      title={title}
      description={description}
      onClose={onClose}
      mayBeCovered={mayBeCovered}
    >
      <LazyContent part={form} props={{ ...formProps, onClose, onBusy: setBusy }} />
    </Dialog>
  );
}

type DialogFormProps = Pick<FormDialogProps, 'onClose'> &
  Partial<FormDialogProps> & {
    children: ReactNode;
    /** The action, as the primary button says it. */
    submitLabel: string;
    /** Takes something away: its button is an outline in red. */
    isDanger?: boolean;
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
    isBusy: boolean;
    /** Why the last submit failed; takes focus above the actions. */
    error: string | null;
  };

/** A dialog's form: its fields, the failure, and the actions in a bar that stays in sight. */
export function DialogForm({
  children,
  submitLabel,
  isDanger = false,
  onSubmit,
  isBusy,
  error,
  onClose,
  onBusy,
}: DialogFormProps) {
  useEffect(() => {
    onBusy?.(isBusy);
    // A success takes the form away before it can say that it is no longer busy.
    return () => onBusy?.(false);
  }, [isBusy, onBusy]);
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <div inert={isBusy} className="flex flex-col gap-4">
        {children}
      </div>
      {error !== null && (
        <Failure isBusy={isBusy} focus>
          {error}
        </Failure>
      )}
      <DialogActions>
        <Button
          variant="secondary"
          className="max-sm:flex-none! max-sm:px-4!"
          disabled={isBusy}
          onClick={onClose}
        >
          {t('Cancel')}
        </Button>
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'primary'}
          className="max-sm:px-3!"
          busy={isBusy}
        >
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

type DoneProps = {
  /** What was done, in place of the dialog's title, which says what is to be done. */
  title?: string;
  children: ReactNode;
  onClose: () => void;
};

/**
 * What replaces the form and the sentence above it after its success: what happened, and what
 * happens next.
 */
export function DialogDone({ title, children, onClose }: DoneProps) {
  const nameDialog = useContext(DialogTitle);
  useLayoutEffect(() => {
    if (title !== undefined) nameDialog(title);
  }, [title, nameDialog]);
  return (
    <div data-done className="flex flex-col gap-4">
      <Alert tone="good" focus>
        {children}
      </Alert>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </div>
  );
}
