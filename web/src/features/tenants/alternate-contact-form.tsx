import { formatPhone } from '@gatehouse/contract/phone';
import { alternateContactFields } from '@gatehouse/contract/tenant-fields';
import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useUpdateTenantMutation } from '#api/tenants.ts';
import { useSubmit } from '#api/use-submit.ts';
import { TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';

type Props = { tenant: Tenant; verb: 'Add' | 'Update' } & FormDialogProps;

const shape = z.object(alternateContactFields);

/** The alternate contact: all four fields. */
export default function AlternateContactForm({ tenant, verb, onClose, onBusy }: Props) {
  const [isDone, setDone] = useState(false);
  const [updateTenant] = useUpdateTenantMutation();
  const { firstName = '', lastName = '', email = '', phone = '' } = tenant.alternateContact ?? {};
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues: { firstName, lastName, email, phone: formatPhone(phone) },
  });
  const { submit, isBusy, error } = useSubmit(async (alternateContact: z.output<typeof shape>) => {
    await updateTenant({ tenantId: tenant.id, body: { alternateContact } }).unwrap();
    setDone(true);
  });

  if (isDone)
    return (
      <DialogDone onClose={onClose}>
        {verb === 'Add'
          ? t('Your alternate contact has been added.')
          : t('Your alternate contact has been updated.')}
      </DialogDone>
    );
  const { errors } = formState;
  return (
    <DialogForm
      submitLabel={verb === 'Add' ? t('Add') : t('Update')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      {/* Another person's address: the browser would fill in the tenant's own. */}
      <TextField
        label={t('First Name')}
        error={errors.firstName?.message}
        autoComplete="off"
        {...register('firstName')}
      />
      <TextField
        label={t('Last Name')}
        error={errors.lastName?.message}
        autoComplete="off"
        {...register('lastName')}
      />
      <TextField
        label={t('Email')}
        error={errors.email?.message}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...register('email')}
      />
      <TextField
        label={t('Phone')}
        error={errors.phone?.message}
        type="tel"
        autoComplete="off"
        {...register('phone')}
      />
    </DialogForm>
  );
}
