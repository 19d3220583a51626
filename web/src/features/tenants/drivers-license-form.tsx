import { driversLicenseFields } from '@gatehouse/contract/tenant-fields';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { SelectField, TextField } from '#ui/field.tsx';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { RecordForm } from './record-form.tsx';
import { stateOptions } from './state-options.ts';

const shape = z.object(driversLicenseFields);

/** Number and state of a driver's license, both required. */
export default function DriversLicenseForm(props: { tenantId: string } & FormDialogProps) {
  return (
    <RecordForm
      {...props}
      shape={shape}
      bodyOf={(license) => license}
      submitLabel={t('Add')}
      title={t('License added')}
      done={t("Your driver's license has been added.")}
    >
      {(register, errors) => (
        <>
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
        </>
      )}
    </RecordForm>
  );
}
