import { PAPER_ACCEPT } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { type RefObject, useId } from 'react';
import { FieldError, Hint } from '#ui/field.tsx';
import { Chosen, FileInput } from '#ui/file-input.tsx';

type Props = {
  input: RefObject<HTMLInputElement | null>;
  file: File | null;
  error: string | undefined;
  onChoose: (file: File | null) => void;
};

/** A photo or a PDF; what was chosen is named and never shown. */
export function FileField({ input, file, error, onChoose }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        {t('Photo or PDF')}
      </label>
      <Hint id={id} hint={t('All of it must be readable. A PDF may have 8 MB.')} />
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileInput
          id={id}
          input={input}
          accept={PAPER_ACCEPT}
          label={file ? t('Choose another file') : t('Choose a file')}
          required
          error={error}
          onChoose={onChoose}
        />
        <Chosen>
          {file && <span className="min-w-0 text-15 wrap-anywhere text-muted">{file.name}</span>}
        </Chosen>
      </div>
      <div role="status">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
