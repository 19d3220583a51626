import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import type { StaffVerb } from '../staff-verb.ts';
import { officeVerbs } from './verbs.ts';

const verbs = Object.values(officeVerbs).map(({ verb }): StaffVerb => verb);

test.each(verbs.map((verb) => [verb.name, verb] as const))(
  'every field of %s has its words, and each of its choices',
  (_, { body }) => {
    const { properties = {} } = z.toJSONSchema(body, { io: 'input' });
    for (const [field, schema] of Object.entries(properties)) {
      const { title, description, names, enum: values } = schema as Record<string, unknown>;
      expect([field, title ?? description]).not.toEqual([field, undefined]);
      if (values !== undefined)
        expect(Object.keys(names as object).sort()).toEqual([...(values as string[])].sort());
    }
  },
);

test.each(verbs.map((verb) => [verb.name, verb] as const))(
  'the example of %s is what it answers',
  (_, { reply, example }) => {
    expect(reply.parse(example)).toEqual(example);
  },
);

test.each(verbs.filter((verb) => 'says' in verb).map((verb) => [verb.name, verb] as const))(
  '%s says what it comes to in sentences, before and after',
  (_, verb) => {
    for (const isDone of [false, true])
      for (const sentence of verb.says!(verb.example, isDone))
        expect(sentence).toMatch(/^\S.*[\w.]$/);
  },
);
