import { PASSKEY_NAME_LENGTH, type Passkey } from '@gatehouse/contract/passkeys';
import { requiredText } from '@gatehouse/contract/text';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useRenamePasskeyMutation } from '#api/passkeys.ts';
import { useSubmit } from '#api/use-submit.ts';
import { TextField } from '#ui/field.tsx';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

const shape = z.object({ name: requiredText(() => t('Name'), PASSKEY_NAME_LENGTH) });

type Props = FormDialogProps & { passkey: Passkey; onRenamed: () => void };

/** Gives a passkey another name; the list shows it at once. */
export default function RenamePasskeyForm({ passkey, onRenamed, onClose, onBusy }: Props) {
  const [renamePasskey] = useRenamePasskeyMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues: { name: passkey.name },
  });
  const { submit, isBusy, error } = useSubmit(async ({ name }: z.output<typeof shape>) => {
    await renamePasskey({ passkeyId: passkey.id, name }).unwrap();
    onRenamed();
    onClose();
  });
  return (
    <DialogForm
      submitLabel={t('Rename')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <TextField
        label={t('Name')}
        error={formState.errors.name?.message}
        autoComplete="off"
        {...register('name')}
      />
    </DialogForm>
  );
}
