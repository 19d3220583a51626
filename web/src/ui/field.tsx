import { t } from '@gatehouse/language/t';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icons.tsx';

export type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined };

/** What a control needs to point at its hint and error. */
type Described = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** The ids by which a control points at its hint and error. */
export function useDescribed(
  given: string | undefined,
  hint: ReactNode,
  error: string | undefined,
): Described {
  const made = useId();
  const id = given ?? made;
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return {
    id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? true : undefined,
  };
}

/** Label above, hint under it, the control, the error under that. */
export function Frame({
  described: { id },
  label,
  hint,
  error,
  isRefused,
  optional,
  children,
}: FieldProps & {
  described: Described;
  isRefused?: boolean;
  optional?: boolean;
  children: ReactNode;
}) {
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        <span>{label}</span>
        {optional && <span className="font-normal text-muted"> {t('(optional)')}</span>}
      </label>
      <Hint id={id} hint={hint} />
      <div className="mt-1.5">{children}</div>
      <FieldError id={id} error={error} isRefused={isRefused} />
    </div>
  );
}

/** What helps to fill in a control, above it. */
export function Hint({ id, hint }: { id: string; hint: ReactNode }) {
  if (!hint) return null;
  return (
    <p id={`${id}-hint`} className="text-15 text-muted">
      {hint}
    </p>
  );
}

/** What is wrong with the value of a control, under it. */
export function FieldError({
  id,
  error,
  isRefused,
}: {
  id: string;
  error: string | undefined;
  isRefused?: boolean | undefined;
}) {
  if (!error) return null;
  return (
    <p
      id={`${id}-error`}
      role={isRefused ? 'alert' : undefined}
      className="mt-1.5 flex items-start gap-1.5 text-bad"
    >
      <Icon name="alert" className="mt-0.25 size-5" />
      <span>{error}</span>
    </p>
  );
}

export const control =
  'block w-full min-h-12 rounded-control border border-control bg-raised px-3 text-16 text-text placeholder:text-muted ' +
  'focus-visible:border-brand aria-invalid:border-bad aria-invalid:border-2 ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-surface disabled:text-muted';

type TextFieldProps = FieldProps & {
  optional?: boolean;
  /** Marked as wrong; why is said next to the button. */
  isRefused?: boolean;
  /** What is written before the value, such as a currency's sign. */
  start?: string;
  /** A control inside the field's end. */
  end?: ReactNode;
} & ComponentProps<'input'>;

/** A one-line text control. Required unless `optional`; the browser tells screen readers so. */
export function TextField({
  label,
  hint,
  error,
  optional = false,
  isRefused = false,
  start,
  end,
  className = '',
  ...input
}: TextFieldProps) {
  const described = useDescribed(input.id, hint, error);
  return (
    <Frame
      described={described}
      label={label}
      hint={hint}
      error={error}
      isRefused={isRefused}
      optional={optional}
    >
      <div className="relative">
        {start !== undefined && (
          <span className="absolute inset-y-0.5 flex items-center pl-3 text-muted">{start}</span>
        )}
        <input
          required={!optional}
          {...input}
          {...described}
          aria-invalid={described['aria-invalid'] ?? (isRefused || undefined)}
          className={`${control} ${end === undefined ? '' : 'pr-28'} ${start === undefined ? '' : 'px-7'} ${className}`}
        />
        {end !== undefined && <div className="absolute inset-y-0.5 right-0.5">{end}</div>}
      </div>
    </Frame>
  );
}

type SelectFieldProps = FieldProps & {
  placeholder?: string;
  options: readonly { value: string; label: string }[];
  optional?: boolean;
  /** The id of an error that it shares with its neighbour, which is shown under both. */
  errorId?: string | undefined;
} & ComponentProps<'select'>;

/** A native select: on phones the system's own picker. */
export function SelectField({
  label,
  hint,
  error,
  placeholder,
  options,
  optional = false,
  errorId,
  ...select
}: SelectFieldProps) {
  const described = useDescribed(select.id, hint, error);
  const shared = errorId && { 'aria-invalid': true, 'aria-describedby': errorId };
  return (
    <Frame described={described} label={label} hint={hint} error={error} optional={optional}>
      <div className="relative">
        <select
          required={!optional}
          {...select}
          {...described}
          {...shared}
          className={`${control} appearance-none truncate pr-10 has-[option[value=""]:checked]:text-muted`}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-muted"
        />
      </div>
    </Frame>
  );
}

type CheckboxFieldProps = FieldProps & {
  /** The hint is at the end of the label's line where both fit, such as a sum. */
  isHintBeside?: boolean;
  /** Without a border, where it is about a button next to it. */
  isPlain?: boolean;
} & ComponentProps<'input'>;

/** One yes or no. */
export function CheckboxField({
  label,
  hint,
  error,
  isHintBeside = false,
  isPlain = false,
  ...input
}: CheckboxFieldProps) {
  const described = useDescribed(input.id, hint, error);
  return (
    <div>
      <Choice
        label={label}
        hint={hint}
        isHintBeside={isHintBeside}
        isPlain={isPlain}
        described={described}
      >
        <input
          type="checkbox"
          {...input}
          {...described}
          // The label holds the hint too, which describes and does not name.
          aria-labelledby={hint ? `${described.id}-label` : undefined}
          className={mark}
        />
      </Choice>
      <FieldError id={described.id} error={error} />
    </div>
  );
}

/** The row around it shows the focus, and comes into view whole. */
export const mark = 'mark mt-0.5 size-5 shrink-0 scroll-mb-16 outline-none';

type ChoiceProps = Omit<FieldProps, 'error'> & {
  isHintBeside?: boolean;
  isPlain?: boolean;
  described: { id: string };
  children: ReactNode;
};

/** A bordered row with a box or radio, its label and hint; all of it can be pressed. */
export function Choice({
  label,
  hint,
  isHintBeside = false,
  isPlain = false,
  described: { id },
  children,
}: ChoiceProps) {
  return (
    <label
      htmlFor={id}
      className={`flex items-start gap-3 rounded-control ${isPlain ? 'min-h-11 py-2.5' : 'min-h-12 border border-line px-3 py-2.75 has-checked:border-brand has-checked:bg-brand-soft'} has-disabled:cursor-not-allowed has-aria-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand`}
    >
      {children}
      <span
        className={
          isHintBeside
            ? 'flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 *:last:text-right'
            : 'min-w-0'
        }
      >
        <span id={hint ? `${id}-label` : undefined} className="block wrap-anywhere">
          {label}
        </span>
        {hint && (
          <span id={`${id}-hint`} className="block text-15 wrap-anywhere text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
