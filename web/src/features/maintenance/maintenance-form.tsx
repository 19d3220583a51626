import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { DESCRIPTION_ROWS, issueTypes, maintenanceFields } from '@gatehouse/contract/maintenance';
import { t } from '@gatehouse/language/t';
import { useEffect, useRef } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { photoFault } from '#api/photo.ts';
import { useSubmit } from '#api/use-submit.ts';
import { Failure } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { useCheckedFile } from '#ui/use-checked-file.ts';
import { PhotoField } from './photo-field.tsx';
import type { MaintenanceValues } from './request-body.ts';
import { type Sent, useSendRequest } from './use-send-request.ts';

type Props = {
  ledgers: Ledger[];
  /** The rental that is asked for, null where none is. */
  askedId: string | null;
  /** Takes focus when it appears. */
  focus: boolean;
  onSent: (sent: Sent) => void;
};

/** What was filled in: another photo makes it another request. */
type Filled = { values: MaintenanceValues; photo: [name: string, lastModified: number] | null };

const shape = z.object(maintenanceFields);
const issueOptions = Object.entries(issueTypes).map(([value, label]) => ({
  value,
  label: label(),
}));

/** Asks for a repair: unit, issue type, description and a photo. */
export function MaintenanceForm({ ledgers, askedId, focus, onSent }: Props) {
  const photoInput = useRef<HTMLInputElement>(null);
  const { file: photo, fault, choose } = useCheckedFile(photoFault);
  const { register, handleSubmit, control, formState, setFocus } = useForm<
    z.input<typeof shape>,
    unknown,
    MaintenanceValues
  >({
    // One unit needs no choice.
    defaultValues: {
      ledgerId:
        (ledgers.length === 1 ? ledgers[0] : ledgers.find(({ id }) => id === askedId))?.id ?? '',
      issueDescription: '',
    },
    mode: 'onTouched',
    resolver: standardSchemaResolver(shape),
  });
  useEffect(() => {
    if (focus) setFocus('ledgerId');
  }, [focus, setFocus]);
  const [ledgerId, issueType] = useWatch({ control, name: ['ledgerId', 'issueType'] });
  const { send, progress } = useSendRequest(ledgers.find(({ id }) => id === ledgerId));
  const { submit, isBusy, error } = useSubmit<Filled>(async ({ values }, idempotencyKey) => {
    onSent(await send(values, photo, idempotencyKey));
  });
  function choosePhoto(chosen: File | null) {
    choose(chosen);
    if (chosen !== null || photoInput.current === null) return;
    photoInput.current.value = '';
    photoInput.current.focus();
  }
  /** A photo that cannot be sent is removed or replaced first, and never left out unsaid. */
  const submitFilled = (values: MaintenanceValues) =>
    fault === null
      ? submit({ values, photo: photo && [photo.name, photo.lastModified] })
      : photoInput.current?.focus();
  const { errors } = formState;

  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(submitFilled)(event)}
      className="flex flex-col gap-4"
    >
      <div inert={isBusy} className="flex flex-col gap-4">
        <SelectField
          label={t('Unit')}
          placeholder={t('Select unit')}
          options={ledgers.map(({ id, unitName }) => ({ value: id, label: unitName }))}
          error={errors.ledgerId?.message}
          {...register('ledgerId')}
        />
        <SelectField
          label={t('Issue Type')}
          placeholder={t('Select issue type')}
          options={issueOptions}
          error={errors.issueType?.message}
          {...register('issueType')}
        />
        <TextArea
          label={t('Description')}
          rows={DESCRIPTION_ROWS}
          error={errors.issueDescription?.message}
          {...register('issueDescription')}
        />
        <PhotoField
          input={photoInput}
          photo={photo}
          fault={fault}
          isAskedFor={issueType === 'transferParking'}
          onChoose={choosePhoto}
        />
      </div>
      {progress !== null && <Progress share={progress} />}
      {error !== null && (
        <Failure isBusy={isBusy} focus>
          {error}
        </Failure>
      )}
      <div className="mt-2 flex sm:justify-end">
        <Button type="submit" busy={isBusy} className="max-sm:w-full">
          {t('Submit')}
        </Button>
      </div>
    </form>
  );
}

/** How much of the photo is sent. */
function Progress({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex justify-between gap-4 text-15 text-muted">
        <span role="status">
          {percent < 100 ? t('Sending your photo…') : t('Your photo is being checked…')}
        </span>
        <span className="tabular-nums" aria-hidden>{`${percent} %`}</span>
      </p>
      <progress
        value={percent}
        max={100}
        aria-label={t('Photo sent')}
        className="h-2 w-full accent-brand"
      />
    </div>
  );
}
