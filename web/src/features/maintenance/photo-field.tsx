import { IMAGE_ACCEPT } from '@gatehouse/contract/images';
import { useEffect, useId, useRef, useState } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';

type Props = {
  photo: File | null;
  /** The issue type says that a photo is required; the request goes without one all the same (spec section 5). */
  isAskedFor: boolean;
  onChoose: (photo: File | null) => void;
};

/** A photo, optional but for parking, with what was chosen shown before it is sent. */
export function PhotoField({ photo, isAskedFor, onChoose }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  function remove() {
    if (input.current) input.current.value = '';
    onChoose(null);
    input.current?.focus();
  }
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        Photo{!isAskedFor && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <p id={`${id}-hint`} className="text-13 text-muted">
        {isAskedFor && 'Required to transfer parking. '}A JPEG, PNG, GIF or WebP image.
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-4">
        {photo && <Preview photo={photo} />}
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <input
            ref={input}
            id={id}
            type="file"
            accept={IMAGE_ACCEPT}
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
            className="peer sr-only"
          />
          <label
            htmlFor={id}
            className={`${buttonClass('secondary', 'max-sm:px-4!')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand`}
          >
            {photo ? 'Choose another photo' : 'Choose a photo'}
          </label>
          {photo && (
            <Button variant="quiet" onClick={remove}>
              Remove
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** The chosen photo by a blob URL, which ends with it (C15); its name alone where the browser cannot show it. */
function Preview({ photo }: { photo: File }) {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(photo);
    let isGone = false;
    // What the browser cannot decode has no picture to show; the server will say what is wrong with it.
    createImageBitmap(photo).then(
      (bitmap) => {
        bitmap.close();
        if (!isGone) setShown(url);
      },
      () => {},
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
      <figcaption className="min-w-0 text-13 wrap-anywhere text-muted">{photo.name}</figcaption>
    </figure>
  );
}
