import { Button } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { saveFile } from './save-file.ts';

/** Saves a paper as a PDF, to print or keep. */
export function PaperButton({
  label,
  name,
  read,
}: {
  label: string;
  /** What a screen reader says in place of the label, where there are several of it. */
  name?: string;
  read: () => Promise<Parameters<typeof saveFile>[0]>;
}) {
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    try {
      saveFile(await read());
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="small" aria-label={name} disabled={isBusy} onClick={() => void save()}>
      <span>{label}</span>
    </Button>
  );
}
