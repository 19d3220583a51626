import { phoneNumber } from '@gatehouse/contract/phone-number';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { TextField } from '#ui/field.tsx';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { RecordForm } from './record-form.tsx';

const shape = z.object({ primary: phoneNumber });

/** A phone number, required; it can be added only where there is none. */
export default function PhoneForm(props: { tenantId: string } & FormDialogProps) {
  return (
    <RecordForm
      {...props}
      shape={shape}
      defaultValues={{ primary: '' }}
      bodyOf={(phone) => ({ phone })}
      submitLabel={t('Add')}
      title={t('Phone added')}
      done={t('Your phone number has been added.')}
    >
      {(register, errors) => (
        <TextField
          label={t('Phone')}
          error={errors.primary?.message}
          type="tel"
          autoComplete="tel"
          {...register('primary')}
        />
      )}
    </RecordForm>
  );
}
