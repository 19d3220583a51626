import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { foldEmail } from './account.ts';

const api = useTestApp('empty_template');

describe('an address as it is compared', () => {
  test.each([
    [' Dana@Example.COM ', 'dana@example.com'],
    ['ÉLISE@example.com', 'élise@example.com'],
    // No letter depends on the one after it.
    ['ΑΣ@example.com', 'ασ@example.com'],
    ['jose\u0301@example.com', 'jos\u00E9@example.com'],
    ['\u212Aelvin@example.com', 'kelvin@example.com'],
    ['w\u0130ll@example.com', 'will@example.com'],
  ])('%s is %s', (typed, folded) => {
    expect(foldEmail(typed)).toBe(folded);
  });
});

test('every letter of Unicode is folded as the database folds it, so that no spelling has a count of its own', async () => {
  const letters: string[] = [];
  for (let code = 1; code <= 0x10ffff; code += 1)
    if (/\p{L}|\p{M}|\p{N}|\p{P}|\p{S}/u.test(String.fromCodePoint(code)))
      letters.push(String.fromCodePoint(code));
  const { rows } = await sql<{ letter: string; folded: string }>`
    SELECT letter, lower(normalize(letter)) AS folded FROM unnest(${letters}::text[]) AS letter`.execute(
    api.ctx.db,
  );
  expect(rows.length).toBe(letters.length);
  // A letter that is newer than the database's Unicode is left as it is there.
  const others = rows.filter(
    ({ letter, folded }) => foldEmail(letter) !== folded && folded !== letter,
  );
  expect(others).toEqual([]);
  for (const [letter, folded] of [
    ['\u0130', 'i'],
    ['I', 'i'],
    ['\u0131', '\u0131'],
    ['\u00DF', '\u00DF'],
    ['\u1E9E', '\u00DF'],
    ['\u212A', 'k'],
    ['\u03A3', '\u03C3'],
  ])
    expect([letter, foldEmail(letter!), rows.find((row) => row.letter === letter)?.folded]).toEqual(
      [letter, folded, folded],
    );
});
