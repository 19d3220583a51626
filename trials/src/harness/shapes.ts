import type { Schema } from '@gatehouse/contract/endpoint';
import { safeParse, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import type { Random } from './random.ts';

/** A value for a field of this name; undefined where the world has none. */
export type Known = Record<string, string>;

/**
 * One text for each form that the contract asks of a text: one that its schema accepts is a good
 * value.
 */
const plainTexts = [
  'Dana',
  'dana@example.com',
  '8175550142',
  '2027-03-14',
  '2027',
  '4242424242424242',
  '123',
  '123456',
  '12x40',
  '6am - 10pm',
  '12/25 closed',
  'America/Chicago',
  '2026-10',
  '110000000',
  'boat:ABC12345D404',
  'tok_abc',
  '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
  // One pixel.
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'data:application/octet-stream;base64,VW5pdA==',
  'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK',
  // A public key of P-256, whose private one was not kept.
  'BFdMkVsE41zJ5qvvV25HnSLLLzrwpf12ncr2WkgUjayPH5Xt0biSXFuek2Bea9XCFVBINHFcNzhvCT+z8/695nU=',
];
const plainNumbers = [1, 0.01, 12.34, 30, 5000];

/**
 * A value that the schema takes, often one of `hostile` where it takes some of them; `name` is the
 * field's.
 */
export function drawValue(
  random: Random,
  schema: $ZodType | Schema,
  known: Known,
  hostile: readonly unknown[] = [],
  name = '',
): unknown {
  const { def } = (schema as $ZodTypes)._zod; // every schema of the contract is one of these
  const draw = (inner: $ZodType, of = name) => drawValue(random, inner, known, hostile, of);
  const drawLeaf = () => {
    const odd = hostile.filter((value) => safeParse(schema as $ZodType, value).success);
    const isOdd = odd.length > 0 && random.chance(known[name] === undefined ? 0.7 : 0.1);
    return isOdd ? random.pick(odd) : goodLeaf(schema, known, name);
  };
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .map(([key, inner]) => [key, draw(inner, key)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case 'intersection':
      return { ...(draw(def.left) as object), ...(draw(def.right) as object) }; // only of objects
    case 'record':
      return { [String(draw(def.keyType))]: draw(def.valueType) };
    case 'array':
      return Array.from({ length: random.between(1, 2) }, () => draw(def.element));
    case 'optional':
      return random.chance(0.5) ? undefined : draw(def.innerType);
    case 'nullable':
      return random.chance(0.2) ? null : draw(def.innerType);
    case 'union':
      return draw(random.pick(def.options));
    case 'enum':
      return random.pick(Object.values(def.entries));
    case 'literal':
      return random.pick(def.values);
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      // Else every staff action but the first would be refused as another one under its key.
      if (name === 'key' && hostile.length === 0) return random.uuid();
      return drawLeaf();
    case 'pipe':
    case 'number':
      return drawLeaf();
    default:
      throw new Error(`no value is known of the type ${def.type} (${name})`);
  }
}

/**
 * A good value of a leaf: the world's own of that name, or a plain one. Throws where no plain one
 * fits.
 */
export function goodLeaf(schema: $ZodType | Schema, known: Known, name: string): unknown {
  const good = [known[name], ...plainTexts, ...plainNumbers].find(
    (value) => safeParse(schema as $ZodType, value).success,
  );
  if (good === undefined) throw new Error(`no value is known for ${name}`);
  return good;
}

/** The ways to every part of a value, the whole one first. */
export function placesOf(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...inner.flatMap(([key, part]) => placesOf(part).map((place) => [key, ...place]))];
}

/** The value with another one in that place. */
export function put(value: unknown, [key, ...rest]: (string | number)[], part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value))
    return value.map((one, index) => (index === key ? put(one, rest, part) : (one as unknown)));
  const fields = value as Record<string, unknown>; // placesOf names only keys of objects and lists
  return { ...fields, [key]: put(fields[key], rest, part) };
}
