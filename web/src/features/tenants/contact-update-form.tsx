import { formTypes } from '@gatehouse/contract/requests';
import { contactFields } from '@gatehouse/contract/tenant-fields';
import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { type FieldErrors, useForm, type UseFormRegister } from 'react-hook-form';
import { z } from 'zod/mini';
import { useRequestTenantUpdateMutation } from '#api/tenant-changes.ts';
import { useSubmit } from '#api/use-submit.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { Reference } from '#ui/reference.tsx';
import { contactOf } from './contact.ts';
import { stateOptions } from './state-options.ts';

const shape = z.object(contactFields);

/** The contact update: a request to staff, which starts from what is on file. */
export default function ContactUpdateForm({
  tenant,
  onClose,
  onBusy,
}: { tenant: Tenant } & FormDialogProps) {
  const [reference, setReference] = useState<string | null>(null);
  const [requestUpdate] = useRequestTenantUpdateMutation();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    defaultValues: contactOf(tenant),
  });
  const { submit, isBusy, error } = useSubmit(
    async (contact: z.output<typeof shape>, idempotencyKey) => {
      const body = { ...contact, formType: formTypes.tenantUpdate };
      setReference(
        (await requestUpdate({ tenantId: tenant.id, body, idempotencyKey }).unwrap()).reference,
      );
    },
  );

  if (reference !== null) {
    return (
      <DialogDone title={t('Request sent')} onClose={onClose}>
        <p>{t('Contact information update request successfully sent')}</p>
        <p className="mt-1">
          {t('The facility will review it. Your profile stays as it is until then.')}
        </p>
        <p>
          <Reference number={reference} />
        </p>
      </DialogDone>
    );
  }
  return (
    <DialogForm
      submitLabel={t('Send request')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <ContactFields errors={formState.errors} register={register} />
    </DialogForm>
  );
}

function ContactFields({
  errors,
  register,
}: {
  errors: FieldErrors<z.input<typeof shape>>;
  register: UseFormRegister<z.input<typeof shape>>;
}) {
  return (
    <>
      <TextField
        label={t('First Name')}
        error={errors.firstName?.message}
        autoComplete="given-name"
        {...register('firstName')}
      />
      <TextField
        label={t('Last Name')}
        error={errors.lastName?.message}
        autoComplete="family-name"
        {...register('lastName')}
      />
      <TextField
        label={t('Phone')}
        error={errors.phone?.message}
        type="tel"
        autoComplete="tel"
        {...register('phone')}
      />
      <TextField
        label={t('Email')}
        error={errors.emailAddress?.message}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...register('emailAddress')}
      />
      <TextField
        label={t('Street 1')}
        error={errors.address1?.message}
        autoComplete="address-line1"
        {...register('address1')}
      />
      <TextField
        label={t('Street 2')}
        optional
        error={errors.address2?.message}
        autoComplete="address-line2"
        {...register('address2')}
      />
      <TextField
        label={t('City')}
        error={errors.city?.message}
        autoComplete="address-level2"
        {...register('city')}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-start gap-3">
        <SelectField
          label={t('State')}
          error={errors.state?.message}
          placeholder={t('Select state')}
          options={stateOptions}
          autoComplete="address-level1"
          {...register('state')}
        />
        <TextField
          label={t('Postal Code')}
          error={errors.postal?.message}
          inputMode="numeric"
          autoComplete="postal-code"
          {...register('postal')}
        />
      </div>
    </>
  );
}
