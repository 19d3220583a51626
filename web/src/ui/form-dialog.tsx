import { type ComponentType, type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { Alert, Failure } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { LoadFailure } from './load-failure.tsx';
import { Skeleton } from './skeleton.tsx';

/** What the content of a form dialog is given beside its own props. */
export type FormDialogProps = {
  onClose: () => void;
  /** While busy nothing closes the dialog. */
  onBusy: (isBusy: boolean) => void;
};

/** A dialog's form in a chunk of its own, because of the forms library: `fetchAhead` gets it before it is opened. */
export type LazyForm<Props> = { Form: ComponentType<Props>; fetchAhead: () => void };

type FormModule<Props> = { default: ComponentType<Props> };

/** Not React's `lazy`, which keeps a failure until the page is reloaded. */
export function lazyForm<Props extends object>(fetchForm: () => Promise<FormModule<Props>>): LazyForm<Props> {
  function Form(props: Props) {
    const [Ready, setReady] = useState<ComponentType<Props> | null>(null);
    const [hasFailed, setFailed] = useState(false);
    const [attempt, setAttempt] = useState(0);

    useEffect(() => {
      let isGone = false;
      fetchForm().then(
        (module) => !isGone && setReady(() => module.default),
        () => !isGone && setFailed(true),
      );
      return () => void (isGone = true);
    }, [attempt]);

    function fetchAgain() {
      setFailed(false);
      setAttempt((count) => count + 1);
    }
    if (Ready) return <Ready {...props} />;
    if (!hasFailed) return <Skeleton className="h-96" />;
    return (
      <LoadFailure onTryAgain={fetchAgain}>
        This form could not be loaded. Check your connection and try again.
      </LoadFailure>
    );
  }
  return { Form, fetchAhead: () => void fetchForm().catch(() => {}) };
}

type Props<FormProps> = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  mayBeCovered?: boolean;
  form: LazyForm<FormProps & FormDialogProps>;
  formProps: FormProps;
};

/** A dialog around a form that is fetched when it is opened. It is open as long as it is rendered. */
export function FormDialog<FormProps extends object>({
  title,
  description,
  onClose,
  mayBeCovered = false,
  form,
  formProps,
}: Props<FormProps>) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog busy={isBusy} {...{ title, description, onClose, mayBeCovered }}>
      <form.Form {...formProps} onClose={onClose} onBusy={setBusy} />
    </Dialog>
  );
}

type DialogFormProps = FormDialogProps & {
  children: ReactNode;
  /** The deed, as the primary button says it. */
  submitLabel: string;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  isBusy: boolean;
  /** Why the last submit failed; takes focus above the actions. */
  error: string | null;
};

/** A dialog's form: its fields, the failure, and the actions in a bar that stays in sight. */
export function DialogForm({ children, submitLabel, onSubmit, isBusy, error, onClose, onBusy }: DialogFormProps) {
  useEffect(() => {
    onBusy(isBusy);
    // A success takes the form away before it can say that it is no longer busy.
    return () => onBusy(false);
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
        <Button variant="secondary" className="max-sm:flex-none! max-sm:px-4!" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" className="max-sm:px-3!" busy={isBusy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

/** What replaces the form and the sentence above it after its success: what happened, and what happens next. */
export function DialogDone({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  return (
    <div data-done className="flex flex-col gap-4">
      <Alert tone="good" focus>
        {children}
      </Alert>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </div>
  );
}
