import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/** The expressions of schemas that code can name instead of repeating them. */
export type Named = Map<$ZodType, string>;

/**
 * The code of the guard (contract/src/guards.ts) that takes what a schema takes, for the kinds of
 * schema that replies are made of. Throws for any other: it needs a guard of its own there.
 */
export function guardOf(schema: $ZodType, named: Named = new Map()): string {
  const name = named.get(schema);
  if (name !== undefined) return name;
  const { def } = (schema as $ZodTypes)._zod;
  const inner = (type: $ZodType) => guardOf(type, named);
  switch (def.type) {
    case 'string':
      return textGuard(def);
    case 'number':
      return 'format' in def && def.format === 'safeint' ? call('integer') : plain(def, 'number');
    case 'boolean':
      return call('flag');
    case 'literal':
      return call('oneOf', ...def.values.map((value) => JSON.stringify(value)));
    case 'enum':
      return call('oneOf', ...Object.values(def.entries).map((value) => JSON.stringify(value)));
    case 'nullable':
      return call('nullable', inner(def.innerType));
    case 'optional':
      return call('optional', inner(def.innerType));
    case 'array':
      return plain(def, 'array', inner(def.element));
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, type]) => `${key}: ${inner(type)}`);
      if (def.catchall === undefined) return plain(def, 'object', `{ ${fields.join(', ')} }`);
    }
  }
  throw new Error(`a reply has a schema without a guard: ${def.type}`);
}

const formats: Record<string, string> = { uuid: 'uuid', date: 'date', datetime: 'instant' };

function textGuard(def: { format?: string; checks?: unknown[] | undefined }): string {
  const guard = def.format === undefined ? 'text' : formats[def.format];
  if (guard === undefined) throw new Error(`a reply has a text without a guard: ${def.format}`);
  return plain(def, guard);
}

/** A reply says what comes; what is asked of a value belongs to what is sent. */
function plain(
  { checks = [] }: { checks?: unknown[] | undefined },
  guard: string,
  ...inner: string[]
) {
  if (checks.length > 0) throw new Error(`a reply has a ${guard} with checks, which has no guard`);
  return call(guard, ...inner);
}

function call(guard: string, ...inner: string[]): string {
  return `guards.${guard}${inner.length > 0 ? `(${inner.join(', ')})` : ''}`;
}
