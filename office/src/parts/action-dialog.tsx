import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import type { StaffVerb } from '@gatehouse/contract/staff-verb';
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
import { Fragment, type ReactNode, useId, useState } from 'react';
import { Form, TextInput, useNotify, useRefresh } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod/mini';
import { hasRole } from '#api/auth-provider.ts';
import { call } from '#api/call.ts';
import { DialogBoundary, focusOnMount } from './dialog-boundary.tsx';
import { type Field, FieldInput, fieldsOf, readFields } from './fields.tsx';
import { Failure } from './failure.tsx';
import { FormDialog } from './form-dialog.tsx';
import { FormReader, noRecord, typedText } from './form-reader.ts';
import { Sentences } from './outcome.tsx';
import { useStep } from './use-step.ts';

/** A call that is previewed before it is done, with a reason: a verb, or a change of an account. */
export type Action = OfficeEndpoint & { verb?: StaffVerb };

/** The action's own body, without why and the key. */
export type Body<A extends Action> = Omit<
  z.input<NonNullable<A['body']>>,
  'why' | 'key' | 'isPreview'
>;
/** What the action answers, of a preview as of the action. */
export type Reply<A extends Action> = z.output<A['reply']>;

export type ActionProps<A extends Action> = {
  action: A;
  /** The parameters of its path. */
  params?: Record<string, string>;
  /** The button's text, and the dialog's title. */
  label: string;
  /** One sentence on what it does, where the label does not say it. */
  explanation?: string;
  /** The part of the body that is not filled in: what the action is about. */
  given?: Partial<Body<A>> | ((form: FormReader) => Partial<Body<A>>);
  /** Inputs above those of the body's fields. */
  children?: ReactNode;
  /**
   * What is shown in place of the inputs that the schema asks for, by field; `none` where nothing
   * is filled in but the reason.
   */
  inputs?: Record<string, ReactNode> | 'none';
  defaultValues?: FieldValues;
  /** What the preview and the action come to, where the verb's own sentences are not enough. */
  describe?: (reply: Reply<A>, isDone: boolean) => ReactNode;
  variant?: 'text' | 'outlined' | 'contained';
  /** For what takes something away. */
  isDanger?: boolean;
  /** What the button of the action says, where it is not the label. */
  actLabel?: string;
  /** Whether what was previewed can be done; always unless it is given. */
  canAct?: (reply: Reply<A>) => boolean;
  /** Further buttons in a preview, of what was sent and answered; `close` closes the dialog. */
  previewActions?: (body: Body<A>, reply: Reply<A>, close: () => void) => ReactNode;
  /** Runs once the dialog of an action that was done is closed. */
  onDone?: () => void;
};

/** An action in a list of several: its dialog hands it only what its own call answers. */
export type AnyAction = ActionProps<Action>;

export function anyAction<A extends Action>(props: ActionProps<A>): AnyAction {
  return props as unknown as AnyAction;
}

/** Whether the reader's role may do it. */
export function isAllowed({ action }: { action: Action }): boolean {
  return hasRole(action.role ?? 'clerk');
}

/**
 * A button for an action and its dialog: form, preview to the cent, action, result. Nothing is
 * shown to a role that may not.
 */
export function ActionButton<A extends Action>(props: ActionProps<A>) {
  const [isOpen, setOpen] = useState(false);
  if (!isAllowed(props)) return null;
  return (
    <>
      {/* Not react-admin's, which shows only an icon on a phone. */}
      <MuiButton
        size="small"
        variant={props.variant ?? 'text'}
        color={props.isDanger ? 'error' : 'primary'}
        onClick={() => setOpen(true)}
      >
        <span>{props.label}</span>
      </MuiButton>
      {isOpen && <PageAction {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The dialog of an action on a page, which is read again once the action is done. */
export function PageAction<A extends Action>({
  onClose,
  ...props
}: ActionProps<A> & { onClose: () => void }) {
  const refresh = useRefresh();
  return (
    <ActionDialog
      {...(props as ActionProps<A>)}
      onClose={(isDone) => {
        onClose();
        // Not before: what the action was about may go with its button and this dialog.
        if (!isDone) return;
        props.onDone?.();
        refresh();
      }}
    />
  );
}

type Phase<A extends Action> =
  | { kind: 'fill' }
  | { kind: 'preview'; sent: Sent<A>; reply: Reply<A> }
  | { kind: 'done'; reply: Reply<A> };

/** A body with the key under which it is done once, however often it is sent. */
type Sent<A extends Action> = { body: Body<A>; why: string; key: string };

/** The dialog of an action by itself, for what opens it in another way than by its button. */
export function ActionDialog<A extends Action>(
  props: ActionProps<A> & { onClose: (isDone: boolean) => void },
) {
  return (
    <DialogBoundary label={props.label} onClose={props.onClose}>
      {(onProgress) => <ActionSteps {...props} onProgress={onProgress} />}
    </DialogBoundary>
  );
}

/** Where a dialog's action is between form, preview and result, and what leads on. */
function useActionSteps<A extends Action>(
  { action, params, label, given = {}, actLabel = label }: ActionProps<A>,
  filledIn: Field[],
  onProgress: (progress: 'sent' | 'done') => void,
) {
  const notify = useNotify();
  const [phase, setPhase] = useState<Phase<A>>({ kind: 'fill' });
  const [isSent, setSent] = useState(false);
  const { step, isBusy, error, isConflict } = useStep();

  async function send({ body, why, key }: Sent<A>, isPreview: boolean) {
    // Its shape is the action's own; the server refuses what does not fit.
    const args = { params, body: { ...body, why, key, isPreview } } as never;
    return (await call(action as OfficeEndpoint, args)) as Reply<A>;
  }

  const preview = (values: FieldValues) =>
    step(async () => {
      const form = new FormReader(values);
      const body = {
        ...readFields(filledIn, form),
        ...(typeof given === 'function' ? given(form) : given),
      } as Body<A>;
      const sent = { body, why: form.text('why'), key: crypto.randomUUID() };
      setPhase({ kind: 'preview', sent, reply: await send(sent, true) });
    });

  const perform = (sent: Sent<A>) =>
    step(async () => {
      onProgress('sent');
      setSent(true);
      const reply = await send(sent, false);
      onProgress('done');
      setPhase({ kind: 'done', reply });
      notify(`${actLabel}: done.`, { type: 'success' });
    });

  const back = () => setPhase({ kind: 'fill' });
  return { phase, isSent, isBusy, error, isConflict, preview, perform, back };
}

function ActionSteps<A extends Action>(
  props: ActionProps<A> & {
    onClose: (isDone: boolean) => void;
    onProgress: (progress: 'sent' | 'done') => void;
  },
) {
  const {
    action,
    label,
    describe = (reply, isDone) => <Sentences action={action} reply={reply} isDone={isDone} />,
  } = props;
  const title = useId();
  const [{ fields, isReasonNeeded }] = useState(() => fieldsOf(action));
  // As they were when it opened: the library fills the form again when they change, as they do when
  // the record around the dialog is read again.
  const [initialValues] = useState({
    why: '',
    ...Object.fromEntries(
      fields.flatMap(({ name, type }) => (type === 'boolean' ? [[name, false]] : [])),
    ),
    ...props.defaultValues,
  });
  const filledIn = props.inputs === 'none' ? [] : fields;
  const { phase, isSent, isBusy, error, isConflict, preview, perform, back } = useActionSteps(
    props,
    filledIn,
    props.onProgress,
  );
  const close = () => props.onClose(phase.kind === 'done');
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
        <ActionForm
          {...props}
          defaultValues={initialValues}
          fields={filledIn.filter(({ isAsked = false }) => isConflict || !isAsked)}
          isReasonNeeded={isReasonNeeded}
          onFilled={preview}
          onCancel={close}
          isBusy={isBusy}
          error={phase.kind === 'fill' ? error : null}
        />
      </Box>
      {phase.kind === 'preview' && (
        <Preview
          {...props}
          isBusy={isBusy}
          error={error}
          onBack={back}
          onPerform={() => void perform(phase.sent)}
          canAct={props.canAct?.(phase.reply) ?? true}
          actions={props.previewActions?.(phase.sent.body, phase.reply, close)}
        >
          {describe(phase.reply, false)}
        </Preview>
      )}
      {phase.kind === 'done' && <Result onClose={close}>{describe(phase.reply, true)}</Result>}
    </FormDialog>
  );
}

function ActionForm<A extends Action>({
  explanation,
  children,
  inputs = {},
  defaultValues,
  fields,
  isReasonNeeded,
  onFilled,
  onCancel,
  isBusy,
  error,
}: ActionProps<A> & {
  fields: Field[];
  isReasonNeeded: boolean;
  onFilled: (values: FieldValues) => Promise<unknown>;
  onCancel: () => void;
  isBusy: boolean;
  error: string | null;
}) {
  return (
    <Form record={noRecord} defaultValues={defaultValues} onSubmit={onFilled}>
      <DialogContent>
        <Stack sx={{ gap: 1 }}>
          {explanation !== undefined && <Typography>{explanation}</Typography>}
          {children}
          {fields.map((field) => (
            <Fragment key={field.name}>
              {inputs !== 'none' && field.name in inputs ? (
                inputs[field.name]
              ) : (
                <FieldInput field={field} />
              )}
            </Fragment>
          ))}
          <Reason isRequired={isReasonNeeded} />
          <Failure error={error} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <MuiButton onClick={onCancel}>Cancel</MuiButton>
        <MuiButton type="submit" variant="contained" loading={isBusy}>
          Preview
        </MuiButton>
      </DialogActions>
    </Form>
  );
}

function Preview({
  label,
  actLabel = label,
  isDanger,
  isBusy,
  error,
  onBack,
  onPerform,
  canAct,
  actions,
  children,
}: {
  label: string;
  actLabel?: string;
  isDanger?: boolean;
  isBusy: boolean;
  error: string | null;
  onBack: () => void;
  onPerform: () => void;
  canAct: boolean;
  actions: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <DialogContent>
        <Stack sx={{ gap: 2 }} role="region" aria-label="Preview">
          <Typography variant="overline">What will be done</Typography>
          {children}
          <Failure error={error} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <MuiButton disabled={isBusy} onClick={onBack}>
          Back
        </MuiButton>
        {actions}
        {canAct && (
          <MuiButton
            variant="contained"
            color={isDanger ? 'error' : 'primary'}
            loading={isBusy}
            ref={focusOnMount}
            onClick={onPerform}
          >
            <span>{actLabel}</span>
          </MuiButton>
        )}
      </DialogActions>
    </>
  );
}

function Result({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="success" role="status">
            Done.
          </Alert>
          {children}
        </Stack>
      </DialogContent>
      <DialogActions>
        <MuiButton variant="contained" ref={focusOnMount} onClick={onClose}>
          Close
        </MuiButton>
      </DialogActions>
    </>
  );
}

/** What is filled in scrolls above the buttons, which stay in sight. */
const aboveItsBar = {
  '&, & > form': { display: 'flex', flexDirection: 'column', minHeight: 0 },
} as const;

/** Why it is done, for the audit trail. */
function Reason({ isRequired }: { isRequired: boolean }) {
  return (
    <TextInput
      source="why"
      label="Reason"
      isRequired={isRequired}
      helperText="Stays in the audit trail with your name."
      multiline
      minRows={2}
      validate={(text: unknown) =>
        isRequired && typedText(text) === '' ? 'Give the reason.' : undefined
      }
    />
  );
}
