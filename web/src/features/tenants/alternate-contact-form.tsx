import { formatPhone } from '@gatehouse/contract/phone';
import { alternateContactFields } from '@gatehouse/contract/tenant-fields';
import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { TextField } from '#ui/field.tsx';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { RecordForm } from './record-form.tsx';

type Props = { tenant: Tenant; verb: 'Add' | 'Update' } & FormDialogProps;

const shape = z.object(alternateContactFields);

/** The alternate contact: all four fields. */
export default function AlternateContactForm({ tenant, verb, ...dialog }: Props) {
  const { firstName = '', lastName = '', email = '', phone = '' } = tenant.alternateContact ?? {};
  return (
    <RecordForm
      {...dialog}
      tenantId={tenant.id}
      shape={shape}
      defaultValues={{ firstName, lastName, email, phone: formatPhone(phone) }}
      bodyOf={(alternateContact) => ({ alternateContact })}
      submitLabel={verb === 'Add' ? t('Add contact') : t('Update')}
      title={verb === 'Add' ? t('Contact added') : t('Contact updated')}
      done={
        verb === 'Add'
          ? t('Your alternate contact has been added.')
          : t('Your alternate contact has been updated.')
      }
    >
      {(register, errors) => (
        // Another person's address: the browser would fill in the tenant's own.
        <>
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
        </>
      )}
    </RecordForm>
  );
}
