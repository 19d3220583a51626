import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useSubmit } from '#api/use-submit.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

export type RemoveFormProps = {
  /** What goes with it. */
  sentences: string[];
  /** Said once it is gone. */
  done: string;
  remove: () => Promise<unknown>;
  onRemoved: () => void;
};

/** Says what goes with a paper or a vehicle, and removes it. */
export default function RemoveForm({
  sentences,
  done,
  remove,
  onRemoved,
  onClose,
  onBusy,
}: RemoveFormProps & FormDialogProps) {
  const [isGone, setGone] = useState(false);
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await remove();
    setGone(true);
    onRemoved();
  });

  if (isGone)
    return (
      <DialogDone title={t('Removed')} onClose={onClose}>
        {done}
      </DialogDone>
    );
  return (
    <DialogForm
      submitLabel={t('Remove')}
      isDanger
      onSubmit={(event) => {
        event.preventDefault();
        void submit({});
      }}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </DialogForm>
  );
}
