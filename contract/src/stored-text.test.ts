import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import { endpoints } from './endpoints.ts';
import type { Schema } from './endpoint.ts';
import { officeEndpoints } from './office/office-endpoints.ts';
import { copied } from './text.ts';
import { invisibleIn } from './typed.ts';

/** What is compared as it comes and is not stored. */
const compared = /\b(token|session|device|consent|locationCodes?|corporationCode|password)$/;

type Def = { type: string; shape?: Record<string, Schema>; options?: Schema[] } & Partial<
  Record<'innerType' | 'element' | 'left' | 'right' | 'in', Schema>
>;

/** Every text in a schema by its path, with what reads it. */
function* textsIn(schema: Schema, path: string): Generator<[string, Schema]> {
  // It decides nothing and is not stored.
  if (schema === copied) return;
  const { def } = schema._zod as unknown as { def: Def };
  const isTextPiped = def.in?._zod.def.type === 'string';
  if (def.type === 'string' || isTextPiped) yield [path, schema];
  else if (def.in !== undefined) yield* textsIn(def.in, path);
  for (const [name, inner] of Object.entries(def.shape ?? {}))
    yield* textsIn(inner, `${path} ${name}`);
  for (const inner of [...(def.options ?? []), def.innerType, def.element, def.left, def.right])
    if (inner !== undefined) yield* textsIn(inner, path);
}

const texts = [...Object.entries(endpoints), ...Object.entries(officeEndpoints)].flatMap(
  ([name, endpoint]) =>
    'body' in endpoint && endpoint.body !== undefined
      ? [...textsIn(endpoint.body as Schema, name)]
      : [],
);

test('every text that comes in is stored in NFC and without invisible characters, or refused', () => {
  expect(texts.length).toBeGreaterThan(100);
  const stored = texts.filter(([path]) => !compared.test(path));
  const wrong = stored.flatMap(([path, schema]) => {
    const { data } = z.safeParse(schema, 'Jose\u200B\u0301\u00A0Muno\u0303z\u202E');
    return typeof data === 'string' &&
      (data !== data.normalize() || invisibleIn(data) !== undefined)
      ? [path]
      : [];
  });
  expect(wrong).toEqual([]);
});
