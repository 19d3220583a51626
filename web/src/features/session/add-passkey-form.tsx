import { PASSKEY_NAME_LENGTH } from '@gatehouse/contract/passkeys';
import { requiredText } from '@gatehouse/contract/text';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { CallError } from '#api/call.ts';
import { useAddPasskeyMutation, usePasskeyOptionsMutation } from '#api/passkeys.ts';
import { useSubmit } from '#api/use-submit.ts';
import { signOut } from '#api/sign-out.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { askAuthenticator } from '#api/ask-authenticator.ts';

const shape = z.object({ name: requiredText(() => t('Name'), PASSKEY_NAME_LENGTH) });

/** Makes a passkey on this device and adds it to the sign-in, under a name. */
export default function AddPasskeyForm({
  onAdded,
  onClose,
  onBusy,
}: FormDialogProps & { onAdded: () => void }) {
  const [isDone, setDone] = useState(false);
  const [isStale, setStale] = useState(false);
  const [getOptions] = usePasskeyOptionsMutation();
  const [addPasskey] = useAddPasskeyMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues: {
      name: matchMedia('(pointer: coarse)').matches ? t('This phone') : t('This computer'),
    },
  });
  const { submit, isBusy, error } = useSubmit(async ({ name }: z.output<typeof shape>) => {
    try {
      const optionsJSON = await getOptions('new').unwrap();
      const made = await askAuthenticator(
        () => startRegistration({ optionsJSON }),
        t('Please try again.'),
      );
      const { id, response } = made;
      const { clientDataJSON, attestationObject } = response;
      const credential = { id, response: { clientDataJSON, attestationObject } };
      await addPasskey({ name, credential }).unwrap();
    } catch (thrown) {
      setStale(thrown instanceof CallError && thrown.status === 403);
      throw thrown;
    }
    setDone(true);
    onAdded();
  });

  if (isDone)
    return (
      <DialogDone title={t('Passkey added')} onClose={onClose}>
        <p>{t('Your passkey has been added.')}</p>
        <p className="mt-1">{t('Next time choose “Use a passkey”.')}</p>
      </DialogDone>
    );
  return (
    <DialogForm
      submitLabel={t('Add')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <TextField
        label={t('Name')}
        hint={t('So that you can tell it from others later.')}
        error={formState.errors.name?.message}
        autoComplete="off"
        {...register('name')}
      />
      {isStale && (
        // Back to this page after it: the session ended, the tenant did not leave.
        <Button variant="secondary" onClick={() => signOut('expired')}>
          {t('Sign in again')}
        </Button>
      )}
    </DialogForm>
  );
}
