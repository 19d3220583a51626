import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { plateHints } from '@gatehouse/contract/vehicles';
import { t } from '@gatehouse/language/t';
import { type Resolver, type UseFormReturn, useWatch } from 'react-hook-form';
import { SelectField, TextField } from '#ui/field.tsx';
import {
  type ContentsForm,
  contentsSchema,
  type ContentsToSave,
  type typeOptions,
} from './contents-form.ts';
import { hinHint, vinHint } from './vehicle-numbers.ts';

type Form = UseFormReturn<ContentsForm, unknown, ContentsToSave>;

/** By the type that is chosen. */
export const contentsResolver: Resolver<ContentsForm, unknown, ContentsToSave> = (
  values,
  context,
  options,
) => standardSchemaResolver(contentsSchema(values.type))(values, context, options);

/** The type of what is stored, and what is asked of a vehicle or boat. */
export function ContentsFields({ form, options }: { form: Form; options: typeof typeOptions }) {
  const { register, control, formState } = form;
  const type = useWatch({ control, name: 'type' });
  return (
    <>
      <SelectField
        label={t('Type')}
        placeholder={t('Select type')}
        options={options}
        error={formState.errors.type?.message}
        {...register('type')}
      />
      {(type === 'vehicle' || type === 'boat') && (
        <VehicleFields key={type} type={type} form={form} />
      )}
    </>
  );
}

function VehicleFields({ type, form }: { type: 'vehicle' | 'boat'; form: Form }) {
  const { register, control, formState } = form;
  const { errors, touchedFields } = formState;
  const [vin, hin] = useWatch({ control, name: ['vin', 'hin'] });
  // Both are known before the others, whichever is shown: the first error of the screen gets the
  // focus.
  const [vinField, hinField] = [register('vin'), register('hin')];
  const number = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'characters' } as const;
  return (
    <>
      {type === 'vehicle' ? (
        <TextField
          label="VIN"
          hint={touchedFields.vin && vinHint(vin)}
          error={errors.vin?.message}
          {...number}
          {...vinField}
        />
      ) : (
        <TextField
          label={t('Hull number (HIN)')}
          hint={
            (touchedFields.hin && hinHint(hin)) ||
            t('12 characters, outside on the right of the stern, just under the upper edge.')
          }
          error={errors.hin?.message}
          {...number}
          {...hinField}
        />
      )}
      <TextField
        label={t('License Plate')}
        // The example is on one line.
        hint={plateHints[type]().replace(' - ', '\u00a0-\u00a0')}
        error={errors.licensePlate?.message}
        {...number}
        {...register('licensePlate')}
      />
      <TextField
        label={t('Description')}
        hint={t('Year, make and model.')}
        error={errors.description?.message}
        {...register('description')}
      />
    </>
  );
}
