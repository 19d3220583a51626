import { expect, test } from 'vitest';
import { z } from 'zod';
import { officeVerbs } from './office/verbs.ts';

const verbs = Object.values(officeVerbs).map(({ verb }) => verb);

test.each(verbs)('the example of $name is what it answers', ({ reply, example }) => {
  expect(reply.parse(example)).toEqual(example);
});

test.each(verbs)('each field of $name says what it is', ({ body }) => {
  const { properties = {} } = z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' });
  const unsaid = Object.entries(properties).filter(
    ([, field]) => typeof field === 'boolean' || field.description === undefined,
  );
  expect(unsaid.map(([name]) => name)).toEqual([]);
});
