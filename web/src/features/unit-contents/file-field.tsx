import { PAPER_ACCEPT } from '@gatehouse/contract/vehicle-papers';
import { t } from '@gatehouse/language/t';
import { type RefObject, useId } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { FieldError, Hint } from '#ui/field.tsx';

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
        <input
          ref={input}
          id={id}
          type="file"
          required
          accept={PAPER_ACCEPT}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={`${buttonClass('secondary', 'max-sm:px-4!')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand`}
        >
          {file ? t('Choose another file') : t('Choose a file')}
        </label>
        {file && <span className="min-w-0 text-15 wrap-anywhere text-muted">{file.name}</span>}
      </div>
      <div role="status">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
