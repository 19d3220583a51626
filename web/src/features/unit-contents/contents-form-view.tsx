import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { plateHints } from '@gatehouse/contract/vehicles';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { type Resolver, useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { useUpdateUnitContentsMutation } from '#api/unit-contents.ts';
import { useSubmit } from '#api/use-submit.ts';
import { useUpdateVehicleMutation } from '#api/vehicles.ts';
import { SelectField, TextField } from '#ui/field.tsx';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import {
  type ContentsForm,
  contentsSchema,
  type ContentsToSave,
  filledForm,
  typeOptions,
} from './contents-form.ts';
import { hinHint, vinHint } from './vehicle-numbers.ts';

export type ContentsFormProps = {
  ledger: Ledger;
  /** What is on file, as `type:value`; the empty string where nothing was entered. */
  contents: string;
  onSaved: () => void;
};

/** What is stored in the unit: first the contents are saved, then the vehicle or boat. */
export default function ContentsFormView(props: ContentsFormProps & FormDialogProps) {
  const { ledger, contents, onSaved, onClose, onBusy } = props;
  const form = useForm<ContentsForm, unknown, ContentsToSave>({
    defaultValues: filledForm(contents, ledger.vehicle),
    mode: 'onTouched',
    resolver,
  });
  const { register, handleSubmit, control, formState } = form;
  const type = useWatch({ control, name: 'type' });
  const { submit, isBusy, error, isHalfSaved } = useSave(ledger.id, () => {
    onSaved();
    onClose();
  });

  return (
    <DialogForm
      submitLabel={t('Save')}
      onSubmit={(event) => void handleSubmit(submit)(event)}
      error={isHalfSaved && error !== null ? `${HALF_SAVED} ${error}` : error}
      isBusy={isBusy}
      onClose={onClose}
      onBusy={onBusy}
    >
      <SelectField
        label={t('Type')}
        placeholder={t('Select type')}
        options={typeOptions}
        error={formState.errors.type?.message}
        {...register('type')}
      />
      {(type === 'vehicle' || type === 'boat') && (
        <VehicleFields key={type} type={type} form={form} />
      )}
    </DialogForm>
  );
}

const HALF_SAVED = t(
  'The type and number are saved. The license plate and description could not be saved.',
);

const resolver: Resolver<ContentsForm, unknown, ContentsToSave> = (values, context, options) =>
  standardSchemaResolver(contentsSchema(values.type))(values, context, options);

/** A retry sends both calls again: each sets a whole value, so nothing is doubled. */
function useSave(ledgerId: string, onSaved: () => void) {
  const [isHalfSaved, setHalfSaved] = useState(false);
  const [updateUnitContents] = useUpdateUnitContentsMutation();
  const [updateVehicle] = useUpdateVehicleMutation();
  const sending = useSubmit<ContentsToSave>(async ({ contents, vehicle }) => {
    setHalfSaved(false);
    await updateUnitContents({ ledgerId, body: { contents } }).unwrap();
    if (vehicle) {
      setHalfSaved(true);
      await updateVehicle({ ledgerId, body: vehicle }).unwrap();
    }
    onSaved();
  });
  return { ...sending, isHalfSaved };
}

function VehicleFields({
  type,
  form,
}: {
  type: 'vehicle' | 'boat';
  form: UseFormReturn<ContentsForm, unknown, ContentsToSave>;
}) {
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
          label="HIN"
          hint={
            (touchedFields.hin && hinHint(hin)) ||
            t(
              'The boat’s own number, 12 characters: on the outside of the hull, at the right of the stern just under its upper edge.',
            )
          }
          error={errors.hin?.message}
          {...number}
          {...hinField}
        />
      )}
      <TextField
        label={t('License Plate')}
        hint={plateHints[type]()}
        error={errors.licensePlate?.message}
        {...number}
        {...register('licensePlate')}
      />
      <TextField
        label={t('Description')}
        error={errors.description?.message}
        {...register('description')}
      />
      <p className="text-15 text-muted">
        {rich('Its registration and insurance are filed under {page}.', {
          page: (
            <a href="/account#papers" className="link">
              {t('Account Management')}
            </a>
          ),
        })}
      </p>
    </>
  );
}
