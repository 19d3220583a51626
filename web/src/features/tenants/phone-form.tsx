import { phoneNumber } from '@gatehouse/contract/phone-number';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useUpdateTenantMutation } from '#api/tenants.ts';
import { useSubmit } from '#api/use-submit.ts';
import { TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

const shape = z.object({ primary: phoneNumber });

/** A phone number, required; it can be added only where there is none. */
export default function PhoneForm({
  tenantId,
  onClose,
  onBusy,
}: { tenantId: string } & FormDialogProps) {
  const [isDone, setDone] = useState(false);
  const [updateTenant] = useUpdateTenantMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues: { primary: '' },
  });
  const { submit, isBusy, error } = useSubmit(async (phone: z.output<typeof shape>) => {
    await updateTenant({ tenantId, body: { phone } }).unwrap();
    setDone(true);
  });

  if (isDone)
    return <DialogDone onClose={onClose}>{t('Your phone number has been added.')}</DialogDone>;
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
        label={t('Phone')}
        error={formState.errors.primary?.message}
        type="tel"
        autoComplete="tel"
        {...register('primary')}
      />
    </DialogForm>
  );
}
