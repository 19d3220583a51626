import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { paperFields, type PaperKind } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { uploadTransport } from '#api/upload.ts';
import { useSubmit } from '#api/use-submit.ts';
import { type PaperPlace, sendVehiclePaper } from '#api/vehicle-papers.ts';
import { getSession } from '#session/session.ts';
import { TextField } from '#ui/field.tsx';
import { DialogDone, DialogForm, type FormDialogProps } from '#ui/form-dialog.tsx';
import { useCheckedFile } from '#ui/use-checked-file.ts';
import { FileField } from './file-field.tsx';
import { paperFault, readPaper } from './paper-file.ts';

type PaperFormProps = PaperPlace & {
  kind: PaperKind;
  /** What it is of, as sentences say it. */
  of: string;
  /** Reads the papers again. */
  onFiled: () => void;
};

const shape = z.object(paperFields);
type Values = z.output<typeof shape>;
const numbers = { registration: t('Registration Number'), insurance: t('Policy Number') };

/** Files a paper: its file, number and last day. */
export default function PaperForm({
  kind,
  of,
  onFiled,
  onClose,
  onBusy,
  ...place
}: PaperFormProps & FormDialogProps) {
  const { file, fault, choose } = useCheckedFile(paperFault);
  const [isAsked, setAsked] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const [isFiled, setFiled] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: standardSchemaResolver(shape),
    mode: 'onTouched',
    shouldFocusError: file !== null && fault === null,
  });
  const { submit, isBusy, error } = useSubmit<Values>(async (values) => {
    const begunIn = getSession()?.token;
    const body = { kind, ...values, ...(await readPaper(file!)) };
    setProgress(0);
    try {
      await sendVehiclePaper(place, body, { transport: uploadTransport(setProgress), begunIn });
    } finally {
      setProgress(null);
    }
    setFiled(true);
    onFiled();
  });
  /** The first field of the form gets the focus first. */
  function demandFile() {
    if (file !== null && fault === null) return true;
    setAsked(true);
    input.current?.focus();
    return false;
  }

  if (isFiled)
    return (
      <DialogDone title={t('On file')} onClose={onClose}>
        {onFile(kind, of)}
      </DialogDone>
    );
  const { errors } = formState;
  return (
    <DialogForm
      submitLabel={t('Save')}
      onSubmit={(event) =>
        void handleSubmit(
          (values) => (demandFile() ? submit(values) : undefined),
          demandFile,
        )(event)
      }
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onBusy={onBusy}
    >
      <FileField
        input={input}
        file={file}
        error={fault ?? (isAsked && file === null ? t('A photo or PDF is required.') : undefined)}
        onChoose={choose}
      />
      <TextField
        label={numbers[kind]}
        hint={t('Shown by its last four characters from now on.')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={errors.number?.message}
        {...register('number')}
      />
      <TextField
        label={t('Expiration Date')}
        type="date"
        error={errors.expiresOn?.message}
        {...register('expiresOn')}
      />
      {progress !== null && (
        <progress
          value={Math.round(progress * 100)}
          max={100}
          aria-label={t('File sent')}
          className="h-2 w-full accent-brand"
        />
      )}
    </DialogForm>
  );
}

function onFile(kind: PaperKind, of: string): string {
  return kind === 'registration'
    ? t('The registration for {of} is on file. We remind you before it expires.', { of })
    : t('The insurance for {of} is on file. We remind you before it expires.', { of });
}
