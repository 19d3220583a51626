import type { Ledger } from '@gatehouse/contract/ledgers';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useUpdateUnitContentsMutation } from '#api/unit-contents.ts';
import { useSubmit } from '#api/use-submit.ts';
import { useUpdateVehicleMutation } from '#api/vehicles.ts';
import { DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { ContentsFields, contentsResolver } from './contents-fields.tsx';
import {
  type ContentsForm,
  type ContentsToSave,
  filledForm,
  typeOptions,
} from './contents-form.ts';
import { VehicleForm, type VehicleFormProps } from './vehicle-form.tsx';

export type ContentsFormProps = {
  ledger: Ledger;
  /** What is on file, as `type:value`; the empty string where nothing was entered. */
  contents: string;
  onSaved: () => void;
};

type Props = (ContentsFormProps | VehicleFormProps) & FormDialogProps;

/** Both forms in one file, which is fetched once. */
export default function ContentsFormView(props: Props) {
  return 'ledger' in props ? <UnitContentsForm {...props} /> : <VehicleForm {...props} />;
}

/** What is stored in the unit: first the contents are saved, then the vehicle or boat. */
function UnitContentsForm(props: ContentsFormProps & FormDialogProps) {
  const { ledger, contents, onSaved, onClose, onBusy } = props;
  const form = useForm<ContentsForm, unknown, ContentsToSave>({
    defaultValues: filledForm(contents, ledger.vehicle),
    mode: 'onTouched',
    resolver: contentsResolver,
  });
  const type = useWatch({ control: form.control, name: 'type' });
  const { submit, isBusy, error, isHalfSaved } = useSave(ledger.id, () => {
    onSaved();
    onClose();
  });

  return (
    <DialogForm
      submitLabel={t('Save')}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
      error={isHalfSaved && error !== null ? `${HALF_SAVED} ${error}` : error}
      isBusy={isBusy}
      onClose={onClose}
      onBusy={onBusy}
    >
      <ContentsFields form={form} options={typeOptions} />
      {(type === 'vehicle' || type === 'boat') && (
        <p className="text-15 text-muted">
          {rich('Its registration and insurance are filed under {page}.', {
            page: (
              <a href="/account#papers" className="link">
                {t('Account Management')}
              </a>
            ),
          })}
        </p>
      )}
    </DialogForm>
  );
}

const HALF_SAVED = t(
  'The type and number are saved. The license plate and description could not be saved.',
);

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
