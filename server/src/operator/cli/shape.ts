import type { Schema } from '@gatehouse/contract/endpoint';
import { toJSONSchema } from 'zod/v4/core';

/** What a command reads of a schema, as JSON Schema has it. */
export type Shape = {
  type?: string;
  format?: string;
  enum?: string[];
  title?: string;
  description?: string;
  names?: Record<string, string>;
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
};

/** The shape of what a schema takes; a field that may be null is as one that may not. */
export function shapeOf(schema: Schema): Shape {
  return toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema }) => {
      const [value, none] = jsonSchema.anyOf ?? [];
      if (typeof value !== 'object' || typeof none !== 'object' || none.type !== 'null') return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, value);
    },
  }) as Shape;
}
