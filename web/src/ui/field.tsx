import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from './icons.tsx';

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined };

/** What a control needs to point at its hint and error. */
type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

function useDescribed(given: string | undefined, hint: ReactNode, error: string | undefined): Described {
  const made = useId();
  const id = given ?? made;
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined };
}

/** Label above, hint under it, the control, the error under that. */
function Frame({
  described: { id },
  label,
  hint,
  error,
  optional,
  children,
}: FieldProps & { described: Described; optional?: boolean; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="block font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <Hint id={id} hint={hint} />
      <div className="mt-1.5">{children}</div>
      <FieldError id={id} error={error} />
    </div>
  );
}

function Hint({ id, hint }: { id: string; hint: ReactNode }) {
  if (!hint) return null;
  return (
    <p id={`${id}-hint`} className="text-13 text-muted">
      {hint}
    </p>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-bad">
      <Icon name="alert" className="mt-0.25 size-5" />
      {error}
    </p>
  );
}

const control =
  'block w-full min-h-12 rounded-control border border-control bg-raised px-3 text-16 text-text placeholder:text-muted ' +
  'focus-visible:outline-offset-0 focus-visible:border-brand aria-invalid:border-bad aria-invalid:border-2 ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-surface disabled:text-muted';

type TextFieldProps = FieldProps & {
  optional?: boolean;
  /** A control inside the field's end. */
  end?: ReactNode;
} & ComponentProps<'input'>;

/** A one-line text control. Required unless `optional`; the browser tells screen readers so. */
export function TextField({ label, hint, error, optional = false, end, className = '', ...input }: TextFieldProps) {
  const described = useDescribed(input.id, hint, error);
  return (
    <Frame described={described} label={label} hint={hint} error={error} optional={optional}>
      <div className="relative">
        <input
          required={!optional}
          {...input}
          {...described}
          className={`${control} ${end === undefined ? '' : 'pr-24'} ${className}`}
        />
        {end !== undefined && <div className="absolute inset-y-0.5 right-0.5">{end}</div>}
      </div>
    </Frame>
  );
}

type TextAreaProps = FieldProps & { optional?: boolean } & ComponentProps<'textarea'>;

/** A text of several lines; 4 rows unless given. Required unless `optional`. */
export function TextArea({ label, hint, error, optional = false, ...textarea }: TextAreaProps) {
  const described = useDescribed(textarea.id, hint, error);
  return (
    <Frame described={described} label={label} hint={hint} error={error} optional={optional}>
      <textarea required={!optional} rows={4} {...textarea} {...described} className={`${control} py-2.5`} />
    </Frame>
  );
}

type SelectFieldProps = FieldProps & {
  placeholder?: string;
  options: readonly { value: string; label: string }[];
  optional?: boolean;
} & ComponentProps<'select'>;

/** A native select: on phones the system's own picker. */
export function SelectField({
  label,
  hint,
  error,
  placeholder,
  options,
  optional = false,
  ...select
}: SelectFieldProps) {
  const described = useDescribed(select.id, hint, error);
  return (
    <Frame described={described} label={label} hint={hint} error={error} optional={optional}>
      <div className="relative">
        <select
          required={!optional}
          {...select}
          {...described}
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

/** One yes or no. */
export function CheckboxField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  const described = useDescribed(input.id, hint, error);
  return (
    <div>
      <Choice label={label} hint={hint} described={described}>
        <input type="checkbox" {...input} {...described} aria-labelledby={`${described.id}-label`} className={mark} />
      </Choice>
      <FieldError id={described.id} error={error} />
    </div>
  );
}

type ChoiceFieldProps = {
  legend: string;
  hint?: ReactNode;
  error?: string | undefined;
  options: readonly { value: string; label: string; hint?: ReactNode }[];
  name: string;
} & Omit<ComponentProps<'input'>, 'type' | 'id' | 'checked' | 'defaultChecked'>;

/** One of a few, as radios. Controlled by `value`, or left to the form with `defaultValue`. */
export function ChoiceField({ legend, hint, error, options, value: chosen, defaultValue, ...input }: ChoiceFieldProps) {
  const { id, ...described } = useDescribed(undefined, hint, error);
  return (
    <fieldset {...described} aria-invalid={undefined}>
      <legend className="font-medium">{legend}</legend>
      <Hint id={id} hint={hint} />
      <div className="mt-1.5 grid gap-2">
        {options.map((option) => (
          <Choice
            key={option.value}
            label={option.label}
            hint={option.hint}
            described={{ id: `${id}-${option.value}` }}
          >
            <input
              required
              {...input}
              type="radio"
              id={`${id}-${option.value}`}
              value={option.value}
              aria-labelledby={`${id}-${option.value}-label`}
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

/** The row around it shows the focus, and comes into view whole. */
const mark = 'mt-0.5 size-5 shrink-0 scroll-mb-16 accent-brand outline-none';

/** A bordered row with a box or radio, its label and hint; all of it can be pressed. */
function Choice({
  label,
  hint,
  described: { id },
  children,
}: Omit<FieldProps, 'error'> & { described: { id: string }; children: ReactNode }) {
  return (
    <label
      htmlFor={id}
      className="flex min-h-12 items-start gap-3 rounded-control border border-line px-3 py-2.75 has-checked:border-brand has-checked:bg-brand-soft has-disabled:cursor-not-allowed has-aria-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
    >
      {children}
      <span className="min-w-0">
        <span id={`${id}-label`} className="block wrap-anywhere">
          {label}
        </span>
        {hint && (
          <span id={`${id}-hint`} className="block text-13 text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
