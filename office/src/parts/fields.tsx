import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import type { FieldWords, StaffVerb } from '@gatehouse/contract/staff-verb';
import type { ReactNode } from 'react';
import {
  BooleanInput,
  DateInput,
  RadioButtonGroupInput,
  SelectInput,
  TextInput,
  required,
} from 'react-admin';
import { z } from 'zod/mini';
import { hasRole } from '#api/auth-provider.ts';
import type { FormReader } from './form-reader.ts';
import { MoneyInput } from './money-input.tsx';

/** What z.toJSONSchema answers of a field of the contract. */
type FieldSchema = Partial<Omit<FieldWords, 'format'>> & {
  type?: 'string' | 'number' | 'boolean' | 'array';
  format?: string;
  enum?: string[];
  minimum?: number;
  minLength?: number;
};
type ObjectSchema = { properties?: Record<string, FieldSchema>; required?: string[] };

/** A field of the body of an action that is filled in by hand. */
export type Field = FieldSchema & { name: string; title: string; isOptional: boolean };

/** Those that the reader may fill in, in the schema's order, and whether a reason is demanded. */
export function fieldsOf({ body, verb }: OfficeEndpoint & { verb?: StaffVerb }): {
  fields: Field[];
  isReasonNeeded: boolean;
} {
  const closed = hasRole('manager') ? [] : (verb?.managersFields ?? []);
  const whole = z.toJSONSchema(body!, { io: 'input' }) as ObjectSchema & { allOf?: ObjectSchema[] };
  const all = [whole, ...(whole.allOf ?? [])].flatMap(({ properties = {}, required: named = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      ...schema,
      name,
      isOptional: !named.includes(name),
    })),
  );
  return {
    fields: all.filter(
      (one): one is Field => one.title !== undefined && !closed.includes(one.name),
    ),
    isReasonNeeded: all.some(({ name, minLength = 0 }) => name === 'why' && minLength > 0),
  };
}

/** The part of a body that was filled in; what is empty and optional is left out. */
export function readFields(fields: Field[], form: FormReader): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, type, unit, isOptional } of fields) {
    if (type === 'boolean') body[name] = form.isYes(name);
    else if (type === 'array') body[name] = form.list(name);
    else if (!isOptional || form.text(name) !== '')
      body[name] = unit === 'dollars' ? form.amount(name) : form.text(name);
  }
  return body;
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
  if (format === 'date') return <DateInput {...input} validate={need('Choose the day.')} />;
  if (names === undefined)
    return <TextInput {...input} type={format ?? 'text'} validate={need()} />;
  const choices = Object.entries(names).map(([id, text]) => ({ id, name: text }));
  const Choice = choices.length > MOST_RADIOS ? SelectInput : RadioButtonGroupInput;
  return <Choice {...input} choices={choices} validate={need('Choose one.')} />;
}
