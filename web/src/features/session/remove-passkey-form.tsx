import type { Passkey } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { forgetPasskey } from '#api/forget-passkey.ts';
import { useRemovePasskeyMutation } from '#api/passkeys.ts';
import { useSubmit } from '#api/use-submit.ts';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

type Props = FormDialogProps & { passkey: Passkey; onRemoved: () => void };

/** Says what it means that a passkey is removed, and removes it. */
export default function RemovePasskeyForm({ passkey, onRemoved, onClose, onBusy }: Props) {
  const [removePasskey] = useRemovePasskeyMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    await removePasskey(passkey.id).unwrap();
    await forgetPasskey(passkey.credentialId);
    onClose();
    onRemoved();
  });
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
      <p className="wrap-anywhere">
        {t(
          '“{name}” will no longer sign in here, and phones that it keeps signed in are signed out. Your device may still offer it: delete it in the device’s own settings too.',
          { name: passkey.name },
        )}
      </p>
    </DialogForm>
  );
}
