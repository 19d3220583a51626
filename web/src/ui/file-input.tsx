import type { ReactNode, RefObject } from 'react';
import { buttonClass } from './button.tsx';

type Props = {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  /** The types of files to choose from. */
  accept: string;
  /** What its button says. */
  label: string;
  required?: boolean;
  error: string | undefined;
  onChoose: (file: File | null) => void;
};

/** What was chosen, read out when it comes. */
export function Chosen({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="contents">
      {children}
    </div>
  );
}

/** Chooses a file by a button; `Hint` and `FieldError` of the same id describe it. */
export function FileInput({ id, input, label, error, onChoose, ...rest }: Props) {
  return (
    <>
      <input
        {...rest}
        ref={input}
        id={id}
        type="file"
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        aria-invalid={error === undefined ? undefined : true}
        onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
        className="peer sr-only"
      />
      <label
        htmlFor={id}
        className={`${buttonClass('secondary', 'max-sm:px-4!')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand`}
      >
        {label}
      </label>
    </>
  );
}
