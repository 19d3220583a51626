import { IMAGE_ACCEPT } from '@gatehouse/contract/images';
import { t } from '@gatehouse/language/t';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Chosen, FileInput } from '#ui/file-input.tsx';

type Props = {
  input: RefObject<HTMLInputElement | null>;
  photo: File | null;
  /** Why the photo cannot be sent. */
  fault: string | null;
  /** The issue type says that a photo is required; the request goes without one all the same. */
  isAskedFor: boolean;
  onChoose: (photo: File | null) => void;
};

/** A photo, optional but for parking, with what was chosen shown before it is sent. */
export function PhotoField({ input, photo, fault, isAskedFor, onChoose }: Props) {
  const id = useId();
  const error = fault ?? undefined;

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
        <Chosen>{photo && <Preview photo={photo} />}</Chosen>
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <FileInput
            id={id}
            input={input}
            accept={IMAGE_ACCEPT}
            label={photo ? t('Choose another photo') : t('Choose a photo')}
            error={error}
            onChoose={onChoose}
          />
          {photo && (
            <Button variant="quiet" onClick={() => onChoose(null)}>
              {t('Remove photo')}
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

/** The chosen photo by a blob URL, which ends with it, once the browser has read it. */
function Preview({ photo }: { photo: File }) {
  const image = useRef<HTMLImageElement>(null);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const url = URL.createObjectURL(photo);
    image.current!.src = url;
    return () => URL.revokeObjectURL(url);
  }, [photo]);
  return (
    <figure className="flex max-w-full min-w-0 items-center gap-3">
      <img
        ref={image}
        alt=""
        hidden={!isRead}
        onLoad={() => setRead(true)}
        onError={() => setRead(false)}
        className="size-24 shrink-0 rounded-control border border-line bg-surface object-cover"
      />
      <figcaption className="min-w-0 text-15 wrap-anywhere text-muted">{photo.name}</figcaption>
    </figure>
  );
}
