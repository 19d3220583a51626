import type { ComponentProps } from 'react';
import { control, type FieldProps, Frame, useDescribed } from './field.tsx';

type TextAreaProps = FieldProps & { optional?: boolean } & ComponentProps<'textarea'>;

/** A text of several lines; 4 rows unless given. Required unless `optional`. */
export function TextArea({ label, hint, error, optional = false, ...textarea }: TextAreaProps) {
  const described = useDescribed(textarea.id, hint, error);
  return (
    <Frame described={described} label={label} hint={hint} error={error} optional={optional}>
      <textarea
        required={!optional}
        rows={4}
        {...textarea}
        {...described}
        className={`${control} py-2.5`}
      />
    </Frame>
  );
}
