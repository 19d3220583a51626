import type { RentalPapers, VehicleWithPapers } from '@gatehouse/contract/vehicle-papers';
import { requiredMessage } from '@gatehouse/contract/text';
import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSubmit } from '#api/use-submit.ts';
import { useSaveVehicleMutation } from '#api/vehicles.ts';
import { SelectField } from '#ui/field.tsx';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { ContentsFields, contentsResolver } from './contents-fields.tsx';
import {
  type ContentsForm,
  type ContentsToSave,
  filledForm,
  typeOptions,
} from './contents-form.ts';

export type VehicleFormProps = {
  tenantId: string;
  /** The rentals that it may be added to. */
  rentals: Pick<RentalPapers, 'ledgerId' | 'unitName'>[];
  /** The one that is changed; null where one is added. */
  vehicle: VehicleWithPapers | null;
  onSaved: () => void;
};

const options = typeOptions.filter(({ value }) => value !== 'none');

/** Adds a vehicle or boat to a rental, or changes one. */
export function VehicleForm(props: VehicleFormProps & FormDialogProps) {
  const { tenantId, rentals, vehicle, onSaved, onClose, onBusy } = props;
  const [ledgerId, setLedgerId] = useState(rentals.length === 1 ? rentals[0]!.ledgerId : '');
  const [isAsked, setAsked] = useState(false);
  const unit = useRef<HTMLSelectElement>(null);
  const form = useForm<ContentsForm, unknown, ContentsToSave>({
    defaultValues: filledForm(vehicle?.contents ?? '', vehicle),
    mode: 'onTouched',
    resolver: contentsResolver,
    shouldFocusError: ledgerId !== '',
  });
  const [saveVehicle] = useSaveVehicleMutation();
  const { submit, isBusy, error } = useSubmit<ContentsToSave>(
    async ({ contents, vehicle: saved }) => {
      const { licensePlate, description } = saved!;
      const body = {
        vehicleId: vehicle?.vehicleId ?? undefined,
        contents,
        licensePlate,
        description,
      };
      await saveVehicle({ tenantId, ledgerId, body }).unwrap();
      onSaved();
      onClose();
    },
  );
  /** The first field of the form gets the focus first. */
  function demandUnit() {
    if (ledgerId !== '') return true;
    setAsked(true);
    unit.current?.focus();
    return false;
  }

  return (
    <DialogForm
      submitLabel={t('Save')}
      onSubmit={(event) =>
        void form.handleSubmit(
          (values) => (demandUnit() ? submit(values) : undefined),
          demandUnit,
        )(event)
      }
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      {rentals.length > 1 && (
        <SelectField
          ref={unit}
          label={t('Unit')}
          placeholder={t('Select unit')}
          options={rentals.map(({ ledgerId: value, unitName }) => ({ value, label: unitName }))}
          value={ledgerId}
          onChange={({ target }) => setLedgerId(target.value)}
          error={isAsked && ledgerId === '' ? requiredMessage(() => t('Unit')).error() : undefined}
        />
      )}
      <ContentsFields form={form} options={options} />
    </DialogForm>
  );
}
