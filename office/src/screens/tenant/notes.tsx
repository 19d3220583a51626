import { addNote, changeNote, type Note } from '@gatehouse/contract/office/tenants';
import { Box, Button, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useNotify, useRefresh } from 'react-admin';
import { call } from '#api/call.ts';
import { Failure } from '#parts/failure.tsx';
import { useStep } from '#parts/use-step.ts';
import { formatInstant } from '#parts/format.tsx';

type Props = { tenantId: string; notes: Note[] };

/** Notes of staff on a record. Removing one can be undone. */
export function Notes({ tenantId, notes }: Props) {
  const refresh = useRefresh();
  const notify = useNotify();
  const [text, setText] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { step, isBusy, error } = useStep();

  const add = () =>
    step(async () => {
      await call(addNote, { params: { tenantId }, body: { key, text: text.trim() } });
      setText('');
      setKey(crypto.randomUUID());
      refresh();
    });

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
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          label="New note"
          value={text}
          onChange={({ target }) => setText(target.value)}
          multiline
          minRows={2}
          fullWidth
          required
          slotProps={{ htmlInput: { maxLength: 2000 } }}
        />
        <Failure error={error} sx={{ mt: 1 }} />
        <Button type="submit" variant="contained" loading={isBusy} sx={{ mt: 1 }}>
          Add note
        </Button>
      </Box>
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
