import { type OfficeVerbName, officeVerbs } from '@gatehouse/contract/office/verbs';
import {
  Alert,
  Box,
  Button as MuiButton,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  Typography,
} from '@mui/material';
import { type ReactNode, useState } from 'react';
import { Form, TextInput, useNotify, useRefresh } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod/mini';
import { hasRole } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { DialogBoundary, focusOnMount } from './dialog-boundary.tsx';
import { FormDialog } from './form-dialog.tsx';
import { FormReader, noRecord, typedText } from './form-reader.ts';
import { useDialogStep } from './use-dialog-step.ts';

/** The verb's own body, without who, why and the key. */
export type Body<Name extends OfficeVerbName> = z.input<(typeof officeVerbs)[Name]['verb']['body']>;
/** What the verb answers, of a preview as of the action. */
export type Reply<Name extends OfficeVerbName> = z.output<(typeof officeVerbs)[Name]['reply']>;

type VerbProps<Name extends OfficeVerbName> = {
  verb: Name;
  /** The button's text, and the dialog's title. */
  label: string;
  /** One sentence on what the verb does, where the label does not say it. */
  explanation?: ReactNode;
  /** The inputs; none where the verb needs nothing but a reason. */
  children?: ReactNode;
  defaultValues?: FieldValues;
  /** The body from the form's values. */
  toBody: (form: FormReader) => Body<Name>;
  /** What the preview and the action come to. */
  describe: (reply: Reply<Name>, isDone: boolean) => ReactNode;
  /** The facility that it is for, where the body names none of its things. */
  locationOf?: (form: FormReader) => string;
  variant?: 'text' | 'outlined' | 'contained';
  /** For what takes something away. */
  isDanger?: boolean;
  /** What the button of the action says, where it is not the label. */
  actLabel?: string;
  /** Whether what was previewed can be done; always unless it is given. */
  canAct?: (reply: Reply<Name>) => boolean;
  /** Further buttons beside a preview, of what was sent and answered; `close` closes the dialog. */
  previewActions?: (given: Given<Name>, reply: Reply<Name>, close: () => void) => ReactNode;
  /** Runs once the dialog of an action that was done is closed. */
  onDone?: () => void;
};

/**
 * A button for a verb of staff and its dialog: form, preview to the cent, action, result. Nothing
 * is shown to a role that may not use the verb.
 */
export function VerbButton<Name extends OfficeVerbName>(props: VerbProps<Name>) {
  const [isOpen, setOpen] = useState(false);
  const refresh = useRefresh();
  const endpoint = officeVerbs[props.verb];
  if (!hasRole(endpoint.role ?? 'clerk')) return null;
  return (
    <>
      {/* Not react-admin's, which shows an icon alone on a phone. */}
      <MuiButton
        size="small"
        variant={props.variant ?? 'text'}
        color={props.isDanger ? 'error' : 'primary'}
        onClick={() => setOpen(true)}
      >
        <span>{props.label}</span>
      </MuiButton>
      {isOpen && (
        <VerbDialog
          {...props}
          onClose={(isDone) => {
            setOpen(false);
            // Not before: what the action was about may go with its button and this dialog.
            if (!isDone) return;
            props.onDone?.();
            refresh();
          }}
        />
      )}
    </>
  );
}

type Phase<Name extends OfficeVerbName> =
  | { kind: 'fill' }
  | { kind: 'preview'; given: Given<Name>; reply: Reply<Name> }
  | { kind: 'done'; reply: Reply<Name> };

/** A body with the key under which it is done once, however often it is sent. */
type Given<Name extends OfficeVerbName> = {
  body: Body<Name>;
  why: string;
  key: string;
  locationCode?: string;
};

/** The dialog of a verb by itself, for what opens it in another way than by its button. */
export function VerbDialog<Name extends OfficeVerbName>(
  props: VerbProps<Name> & { onClose: (isDone: boolean) => void },
) {
  return (
    <DialogBoundary label={props.label} onClose={props.onClose}>
      {(onProgress) => <VerbSteps {...props} onProgress={onProgress} />}
    </DialogBoundary>
  );
}

function VerbSteps<Name extends OfficeVerbName>({
  verb,
  label,
  explanation,
  children,
  defaultValues = {},
  toBody,
  describe,
  locationOf,
  isDanger,
  actLabel = label,
  canAct = () => true,
  previewActions,
  onClose,
  onProgress,
}: VerbProps<Name> & {
  onClose: (isDone: boolean) => void;
  onProgress: (progress: 'sent' | 'done') => void;
}) {
  const endpoint = officeVerbs[verb];
  const notify = useNotify();
  const [phase, setPhase] = useState<Phase<Name>>({ kind: 'fill' });
  const { step, isBusy, error } = useDialogStep();
  const [isSent, setSent] = useState(false);
  // As they were when it opened: the library fills the form again when they change, as they do when
  // the record around the dialog is read again.
  const [initialValues] = useState({ why: '', ...defaultValues });

  async function send({ body, ...caller }: Given<Name>, isPreview: boolean) {
    return (await call(endpoint, {
      body: { ...body, ...caller, isPreview },
    } as never)) as Reply<Name>;
  }

  const preview = (values: FieldValues) =>
    step(async () => {
      const form = new FormReader(values);
      const given = {
        body: toBody(form),
        why: form.text('why'),
        key: crypto.randomUUID(),
        ...(locationOf && { locationCode: locationOf(form) }),
      };
      setPhase({ kind: 'preview', given, reply: await send(given, true) });
    });

  const perform = (given: Given<Name>) =>
    step(async () => {
      onProgress('sent');
      setSent(true);
      const reply = await send(given, false);
      onProgress('done');
      setPhase({ kind: 'done', reply });
      notify(`${actLabel}: done.`, { type: 'success' });
    });

  const close = () => onClose(phase.kind === 'done');
  const title = `verb-${verb}`;
  return (
    <FormDialog
      open
      onClose={isBusy ? undefined : close}
      isDone={isSent}
      fullWidth
      maxWidth="sm"
      aria-labelledby={title}
    >
      <DialogTitle id={title}>{label}</DialogTitle>
      {/* Kept while it is not shown, so that “Back” finds what was typed. */}
      <Box hidden={phase.kind !== 'fill'} sx={phase.kind === 'fill' ? aboveItsBar : undefined}>
        <Form record={noRecord} defaultValues={initialValues} onSubmit={preview}>
          <DialogContent>
            <Stack sx={{ gap: 1 }}>
              {explanation !== undefined && <Typography>{explanation}</Typography>}
              {children}
              <Reason isRequired={endpoint.verb.isMoney} />
              {phase.kind === 'fill' && <Failure error={error} />}
            </Stack>
          </DialogContent>
          <DialogActions>
            <MuiButton onClick={close}>Cancel</MuiButton>
            <MuiButton type="submit" variant="contained" loading={isBusy}>
              Preview
            </MuiButton>
          </DialogActions>
        </Form>
      </Box>
      {phase.kind === 'preview' && (
        <>
          <DialogContent>
            <Stack sx={{ gap: 2 }} role="region" aria-label="Preview">
              <Typography variant="overline">What will be done</Typography>
              {describe(phase.reply, false)}
              <Failure error={error} />
            </Stack>
          </DialogContent>
          <DialogActions>
            <MuiButton disabled={isBusy} onClick={() => setPhase({ kind: 'fill' })}>
              Back
            </MuiButton>
            {previewActions?.(phase.given, phase.reply, close)}
            {canAct(phase.reply) && (
              <MuiButton
                variant="contained"
                color={isDanger ? 'error' : 'primary'}
                loading={isBusy}
                ref={focusOnMount}
                onClick={() => void perform(phase.given)}
              >
                <span>{actLabel}</span>
              </MuiButton>
            )}
          </DialogActions>
        </>
      )}
      {phase.kind === 'done' && (
        <>
          <DialogContent>
            <Stack sx={{ gap: 2 }}>
              <Alert severity="success" role="status">
                Done.
              </Alert>
              {describe(phase.reply, true)}
            </Stack>
          </DialogContent>
          <DialogActions>
            <MuiButton variant="contained" ref={focusOnMount} onClick={close}>
              Close
            </MuiButton>
          </DialogActions>
        </>
      )}
    </FormDialog>
  );
}

/** What is filled in scrolls above the buttons, which stay in sight. */
export const aboveItsBar = {
  '&, & > form': { display: 'flex', flexDirection: 'column', minHeight: 0 },
} as const;

/** Why it is done, for the audit trail. */
export function Reason({ isRequired }: { isRequired: boolean }) {
  return (
    <TextInput
      source="why"
      label="Reason"
      helperText="Stays in the audit trail with your name."
      multiline
      minRows={2}
      validate={(text: unknown) =>
        isRequired && typedText(text) === '' ? 'Give the reason.' : undefined
      }
    />
  );
}

function bringIntoView(failure: HTMLElement | null): void {
  failure?.scrollIntoView({ block: 'nearest' });
}

export function Failure({ error }: { error: string | null }) {
  return error === null ? null : (
    <Alert severity="error" role="alert" ref={bringIntoView}>
      {error}
    </Alert>
  );
}
