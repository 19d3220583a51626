import { driversLicenseFields } from '@gatehouse/contract/tenant-fields';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useUpdateTenantMutation } from '#api/tenants.ts';
import { useSubmit } from '#api/use-submit.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { stateOptions } from './state-options.ts';

const shape = z.object(driversLicenseFields);

/** Number and state of a driver's license, both required. */
export default function DriversLicenseForm({
  tenantId,
  onClose,
  onBusy,
}: { tenantId: string } & FormDialogProps) {
  const [isDone, setDone] = useState(false);
  const [updateTenant] = useUpdateTenantMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
  });
  const { submit, isBusy, error } = useSubmit(async (body: z.output<typeof shape>) => {
    await updateTenant({ tenantId, body }).unwrap();
    setDone(true);
  });

  if (isDone)
    return <DialogDone onClose={onClose}>{t("Your driver's license has been added.")}</DialogDone>;
  const { errors } = formState;
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
        label={t("Driver's License Number")}
        error={errors.driversLicenseNumber?.message}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...register('driversLicenseNumber')}
      />
      <SelectField
        label={t("Driver's License State")}
        error={errors.driversLicenseState?.message}
        placeholder={t('Select state')}
        options={stateOptions}
        autoComplete="off"
        {...register('driversLicenseState')}
      />
    </DialogForm>
  );
}
