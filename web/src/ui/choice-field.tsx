import type { ComponentProps, ReactNode } from 'react';
import { Choice, FieldError, mark, useDescribed } from './field.tsx';

type ChoiceFieldProps = {
  legend: string;
  error?: string | undefined;
  options: readonly { value: string; label: string; hint?: ReactNode }[];
  name: string;
  /** A hint is at the end of its option's line where both fit. */
  areHintsBeside?: boolean;
} & Omit<ComponentProps<'input'>, 'type' | 'id' | 'checked' | 'defaultChecked'>;

/** One of a few, as radios. Controlled by `value`, or left to the form with `defaultValue`. */
export function ChoiceField({
  legend,
  error,
  options,
  areHintsBeside = false,
  value: chosen,
  defaultValue,
  ...input
}: ChoiceFieldProps) {
  const { id, ...described } = useDescribed(undefined, undefined, error);
  return (
    <fieldset {...described} aria-invalid={undefined}>
      <legend className="font-medium">{legend}</legend>
      <div className="mt-1.5 grid gap-2">
        {options.map((option) => (
          <Choice
            key={option.value}
            label={option.label}
            hint={option.hint}
            isHintBeside={areHintsBeside}
            described={{ id: `${id}-${option.value}` }}
          >
            <input
              required
              {...input}
              type="radio"
              id={`${id}-${option.value}`}
              value={option.value}
              aria-labelledby={option.hint ? `${id}-${option.value}-label` : undefined}
              aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
              {...(chosen === undefined
                ? { defaultChecked: defaultValue === option.value }
                : { checked: chosen === option.value })}
              className={mark}
            />
          </Choice>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}
