import { IMAGE_ACCEPT } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';

type Props = {
  photo: File | null;
  /**
   * The issue type says that a photo is required; the request goes without one all the same (spec
   * section 5).
   */
  isAskedFor: boolean;
  onChoose: (photo: File | null) => void;
};

/** A photo, optional but for parking, with what was chosen shown before it is sent. */
export function PhotoField({ photo, isAskedFor, onChoose }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState('');

  function choose(file: File | null) {
    setError('');
    onChoose(file);
  }
  function refuse() {
    if (input.current) input.current.value = '';
    onChoose(null);
    setError(t('The photo must be a JPEG, PNG, GIF or WebP image.'));
    input.current?.focus();
  }

  function remove() {
    if (input.current) input.current.value = '';
    onChoose(null);
    input.current?.focus();
  }
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        <span>{t('Photo')}</span>
        {!isAskedFor && <span className="font-normal text-muted"> {t('(optional)')}</span>}
      </label>
      <p id={`${id}-hint`} className="text-15 text-muted">
        {isAskedFor && <span>{`${t('Required to transfer parking.')} `}</span>}
        <span>{t('A JPEG, PNG, GIF or WebP image.')}</span>
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-4">
        {photo && <Preview photo={photo} onUnreadable={refuse} />}
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <input
            ref={input}
            id={id}
            type="file"
            accept={IMAGE_ACCEPT}
            aria-describedby={error === '' ? `${id}-hint` : `${id}-hint ${id}-error`}
            aria-invalid={error === '' ? undefined : true}
            onChange={({ target }) => choose(target.files?.[0] ?? null)}
            className="peer sr-only"
          />
          <label
            htmlFor={id}
            className={`${buttonClass('secondary', 'max-sm:px-4!')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand`}
          >
            {photo ? t('Choose another photo') : t('Choose a photo')}
          </label>
          {photo && (
            <Button variant="quiet" onClick={remove}>
              {t('Remove')}
            </Button>
          )}
        </div>
      </div>
      <div role="status">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}

type PreviewProps = { photo: File; onUnreadable: () => void };

/**
 * The chosen photo by a blob URL, which ends with it (C15). What the browser cannot decode the
 * server would refuse too.
 */
function Preview({ photo, onUnreadable }: PreviewProps) {
  const [shown, setShown] = useState<string | null>(null);
  const refuse = useEffectEvent(onUnreadable);
  useEffect(() => {
    const url = URL.createObjectURL(photo);
    let isGone = false;
    createImageBitmap(photo).then(
      (bitmap) => {
        bitmap.close();
        if (!isGone) setShown(url);
      },
      () => {
        if (!isGone) refuse();
      },
    );
    return () => {
      isGone = true;
      setShown(null);
      URL.revokeObjectURL(url);
    };
  }, [photo]);
  return (
    <figure className="flex max-w-full min-w-0 items-center gap-3">
      {shown && (
        <img
          src={shown}
          alt=""
          className="size-24 shrink-0 rounded-control border border-line bg-surface object-cover"
        />
      )}
      <figcaption className="min-w-0 text-15 wrap-anywhere text-muted">{photo.name}</figcaption>
    </figure>
  );
}
