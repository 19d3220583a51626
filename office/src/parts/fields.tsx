import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import { type FieldShape, fieldsOf as fieldsOfBody } from '@gatehouse/contract/staff-verb';
import type { ReactNode } from 'react';
import {
  BooleanInput,
  DateInput,
  RadioButtonGroupInput,
  SelectInput,
  TextInput,
  required,
} from 'react-admin';
import { hasRole } from '#api/auth-provider.ts';
import { type FormReader, typedText } from './form-reader.ts';
import { MoneyInput } from './money-input.tsx';

/** A field of the body of an action that is filled in by hand. */
export type Field = FieldShape & { name: string; title: string; isOptional: boolean };

/** Those that the reader may fill in, in the schema's order, and whether a reason is demanded. */
export function fieldsOf({ body }: OfficeEndpoint): {
  fields: Field[];
  isReasonNeeded: boolean;
} {
  const all = fieldsOfBody(body!);
  return {
    fields: Object.entries(all)
      .map(([name, shape]) => ({ ...shape, name }))
      .filter((one): one is Field => one.title !== undefined && hasRole(one.role ?? 'clerk')),
    isReasonNeeded: (all['why']?.minLength ?? 0) > 0,
  };
}

/** The part of a body that was filled in; what is empty and optional is left out. */
export function readFields(fields: Field[], form: FormReader): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, type, unit, isOptional } of fields) {
    if (type === 'boolean') body[name] = form.isYes(name);
    else if (type === 'array') body[name] = form.list(name);
    else if (!isOptional || form.text(name) !== '')
      body[name] = valueOf(form, name, type === 'integer' ? type : unit);
  }
  return body;
}

function valueOf(form: FormReader, name: string, kind?: 'integer' | 'dollars'): number | string {
  if (kind === 'integer') return Number(form.text(name));
  return kind === 'dollars' ? form.amount(name) : form.text(name);
}

function wholeFault(text: string, isOptional: boolean): string | undefined {
  return (isOptional && text === '') || /^\d{1,9}$/.test(text)
    ? undefined
    : 'Enter a whole number.';
}

/** More choices than these are a list to open. */
const MOST_RADIOS = 4;

/** The input of a field, as its type asks for. */
export function FieldInput({ field }: { field: Field }): ReactNode {
  const { name, title, description, type, format, unit, names, minimum } = field;
  const isOptional = field.isOptional && field.isNeeded !== true;
  const need = (message?: string) => (isOptional ? undefined : required(message));
  const input = { source: name, label: title, helperText: description };
  if (type === 'boolean') return <BooleanInput {...input} />;
  if (unit === 'dollars')
    return <MoneyInput {...input} isOptional={isOptional} mayBeZero={minimum === 0} />;
  if (type === 'integer')
    return (
      <TextInput
        {...input}
        inputMode="numeric"
        isRequired={!isOptional}
        validate={(text: unknown) => wholeFault(typedText(text), isOptional)}
      />
    );
  if (format === 'date') return <DateInput {...input} validate={need('Choose the day.')} />;
  if (names === undefined)
    return <TextInput {...input} type={format ?? 'text'} validate={need()} />;
  const choices = Object.entries(names).map(([id, text]) => ({ id, name: text }));
  const Choice = choices.length > MOST_RADIOS ? SelectInput : RadioButtonGroupInput;
  return <Choice {...input} choices={choices} validate={need('Choose one.')} />;
}
