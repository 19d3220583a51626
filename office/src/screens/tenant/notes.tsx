import { addNote, changeNote, type Note } from '@gatehouse/contract/office/tenants';
import {
  Box,
  Button,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useId, useState } from 'react';
import { useNotify, useRefresh } from 'react-admin';
import { call } from '#api/call.ts';
import { focusOnMount } from '#parts/dialog-boundary.tsx';
import { Failure } from '#parts/failure.tsx';
import { FormDialog } from '#parts/form-dialog.tsx';
import { readForm } from '#parts/form-reader.ts';
import { formatInstant } from '#parts/format.tsx';
import { useStep } from '#parts/use-step.ts';

/** A button for a new note on a record, and its dialog. */
export function AddNote({ tenantId }: { tenantId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
        <span>{LABEL}</span>
      </Button>
      {isOpen && <NoteDialog tenantId={tenantId} onClose={() => setOpen(false)} />}
    </>
  );
}

const LABEL = 'Add a note';

function NoteDialog({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const title = useId();
  const refresh = useRefresh();
  const notify = useNotify();
  const [key] = useState(() => crypto.randomUUID());
  const { step, isBusy, error } = useStep();
  const add = (text: string) =>
    step(async () => {
      await call(addNote, { params: { tenantId }, body: { key, text } });
      notify('The note is on the record.', { type: 'success' });
      onClose();
      refresh();
    });
  return (
    <FormDialog
      open
      onClose={isBusy ? undefined : onClose}
      fullWidth
      maxWidth="sm"
      aria-labelledby={title}
    >
      <DialogTitle id={title}>{LABEL}</DialogTitle>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add(readForm(event.currentTarget).text('text'));
        }}
      >
        <DialogContent>
          <TextField
            name="text"
            label="Note"
            helperText="For staff only: the tenant does not see it."
            multiline
            minRows={3}
            fullWidth
            required
            inputRef={focusOnMount}
            slotProps={{ htmlInput: { maxLength: 2000 } }}
          />
          <Failure error={error} sx={{ mt: 1 }} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            <span>{LABEL}</span>
          </Button>
        </DialogActions>
      </Box>
    </FormDialog>
  );
}

/** Notes of staff on a record. Removing one can be undone. */
export function Notes({ notes }: { notes: Note[] }) {
  const refresh = useRefresh();
  const notify = useNotify();

  async function change(noteId: string, isRemoved: boolean) {
    try {
      await call(changeNote, { params: { noteId }, body: { isRemoved } });
      refresh();
      if (isRemoved)
        notify('The note is removed.', {
          action: (
            <Button color="inherit" onClick={() => void change(noteId, false)}>
              Undo
            </Button>
          ),
        });
    } catch (failure) {
      notify((failure as Error).message, { type: 'error' });
    }
  }

  return (
    <Stack sx={{ gap: 2, width: '100%', maxWidth: 720 }}>
      {notes.map((note) => (
        <Box key={note.id} component="article">
          <Typography sx={{ whiteSpace: 'pre-wrap' }}>{note.text}</Typography>
          <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
            <Typography
              variant="body2"
              color="text.secondary"
            >{`${note.by}, ${formatInstant(note.at)}`}</Typography>
            {note.mayRemove && (
              <Button size="small" onClick={() => void change(note.id, true)}>
                Remove
              </Button>
            )}
          </Stack>
        </Box>
      ))}
      {notes.length === 0 && <Typography color="text.secondary">There is no note yet.</Typography>}
    </Stack>
  );
}
