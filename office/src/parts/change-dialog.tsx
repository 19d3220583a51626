import {
  Box,
  Button,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  Typography,
} from '@mui/material';
import { type ReactNode, useId, useState } from 'react';
import { Form, useNotify, useRefresh } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { DialogBoundary, focusOnMount } from './dialog-boundary.tsx';
import { FormDialog } from './form-dialog.tsx';
import { FormReader, noRecord } from './form-reader.ts';
import { useDialogStep } from './use-dialog-step.ts';
import { aboveItsBar, Failure, Reason } from './verb-dialog.tsx';

type ChangeProps = {
  /** The text of the button that opens it and of the one that does it, and the dialog's title. */
  label: string;
  /** The inputs; none where it needs nothing but a reason. */
  children?: ReactNode;
  defaultValues?: FieldValues;
  /** Does it, or with `isPreview` says alone what it would do, in sentences. */
  send: (
    form: FormReader,
    call: { why: string; isPreview: boolean },
  ) => Promise<{
    effects: string[];
  }>;
  /** For what takes something away. */
  isDanger?: boolean;
};

/**
 * A button for a change that is no verb, and its dialog: form with the reason, what will happen in
 * sentences, and the change.
 */
export function ChangeButton(props: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const { label, isDanger } = props;
  return (
    <>
      <Button size="small" color={isDanger ? 'error' : 'primary'} onClick={() => setOpen(true)}>
        <span>{label}</span>
      </Button>
      {isOpen && (
        <DialogBoundary label={label} onClose={() => setOpen(false)}>
          {(onProgress) => (
            <ChangeDialog {...props} onClose={() => setOpen(false)} onProgress={onProgress} />
          )}
        </DialogBoundary>
      )}
    </>
  );
}

function ChangeDialog({
  label,
  children,
  defaultValues = {},
  send,
  isDanger,
  onClose,
  onProgress,
}: ChangeProps & { onClose: () => void; onProgress: (progress: 'sent') => void }) {
  const title = useId();
  const notify = useNotify();
  const refresh = useRefresh();
  const [given, setGiven] = useState<{ form: FormReader; effects: string[] } | null>(null);
  const { step, isBusy, error } = useDialogStep();
  // As they were when it opened: the library fills the form again when they change.
  const [initialValues] = useState({ why: '', ...defaultValues });
  const ask = (form: FormReader, isPreview: boolean) =>
    send(form, { why: form.text('why'), isPreview });
  const preview = (values: FieldValues) =>
    step(async () => {
      const form = new FormReader(values);
      const { effects } = await ask(form, true);
      setGiven({ form, effects });
    });
  const perform = (form: FormReader) =>
    step(async () => {
      onProgress('sent');
      await ask(form, false);
      notify(`${label}: done.`, { type: 'success' });
      onClose();
      refresh();
    });

  return (
    <FormDialog open onClose={isBusy ? undefined : onClose} fullWidth aria-labelledby={title}>
      <DialogTitle id={title}>{label}</DialogTitle>
      {/* Kept while it is not shown, so that “Back” finds what was typed. */}
      <Box hidden={given !== null} sx={given === null ? aboveItsBar : undefined}>
        <Form record={noRecord} defaultValues={initialValues} onSubmit={preview}>
          <DialogContent>
            <Stack sx={{ gap: 1 }}>
              {children}
              <Reason isRequired />
              {given === null && <Failure error={error} />}
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="contained" loading={isBusy}>
              Preview
            </Button>
          </DialogActions>
        </Form>
      </Box>
      {given !== null && (
        <>
          <DialogContent>
            <Stack sx={{ gap: 2 }} role="region" aria-label="Preview">
              <Typography variant="overline">What will be done</Typography>
              <ul style={{ margin: 0, paddingLeft: 20 }}>
                {given.effects.map((effect) => (
                  <li key={effect}>{effect}</li>
                ))}
              </ul>
              <Failure error={error} />
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button disabled={isBusy} onClick={() => setGiven(null)}>
              Back
            </Button>
            <Button
              variant="contained"
              color={isDanger ? 'error' : 'primary'}
              loading={isBusy}
              ref={focusOnMount}
              onClick={() => void perform(given.form)}
            >
              <span>{label}</span>
            </Button>
          </DialogActions>
        </>
      )}
    </FormDialog>
  );
}
