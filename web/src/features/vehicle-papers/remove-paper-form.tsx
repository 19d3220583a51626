import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useSubmit } from '#api/use-submit.ts';
import { useRemoveVehiclePaperMutation } from '#api/vehicle-papers.ts';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import type { PaperFormProps } from './paper-form.tsx';

/** Says what goes with a paper, and removes it. */
export default function RemovePaperForm({
  kind,
  unitName,
  onFiled: onRemoved,
  onClose,
  onBusy,
  ...place
}: PaperFormProps & FormDialogProps) {
  const [isGone, setGone] = useState(false);
  const [removeVehiclePaper] = useRemoveVehiclePaperMutation();
  const { submit, isBusy, error } = useSubmit<object>(async () => {
    const { tenantId, ledgerId } = place;
    await removeVehiclePaper({ tenantId, ledgerId, kind }).unwrap();
    setGone(true);
    onRemoved();
  });

  if (isGone)
    return (
      <DialogDone onClose={onClose}>
        {kind === 'registration'
          ? t('The registration for unit {unit} is removed.', { unit: unitName })
          : t('The insurance for unit {unit} is removed.', { unit: unitName })}
      </DialogDone>
    );
  return (
    <DialogForm
      submitLabel={t('Remove')}
      isDanger
      onSubmit={(event) => {
        event.preventDefault();
        void submit({});
      }}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <p>
        {t('The file, its number and its date are deleted. You can file it again at any time.')}
      </p>
    </DialogForm>
  );
}
