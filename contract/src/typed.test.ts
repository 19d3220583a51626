import { expect, test } from 'vitest';
import { invisibleIn, plainCode, plainNumber } from './typed.ts';

const ZERO_WIDTH = '\u200B';

test.each([
  ['4242424242424242', '4242424242424242'],
  ['４２４２ ４２４２', '4242 4242'],
  ['１２３４５－６７８９', '12345-6789'],
  ['（８１７）\u3000５５５\u2013０１４２', '(817) 555-0142'],
  ['＄1，250．50', '$1,250.50'],
  [`${ZERO_WIDTH}12\u00AD3\uFEFF`, '123'],
  ['12\u00A034\u201156', '12 34-56'],
])('the number %j is meant as %s', (typed, meant) => expect(plainNumber(typed)).toBe(meant));

test.each([
  ['12345678', '12345678'],
  [' 1234 5678 ', '12345678'],
  ['1234-5678', '12345678'],
  ['1234\u2014\u00A05678', '12345678'],
  [`12${ZERO_WIDTH}34\u206056\uFEFF78`, '12345678'],
  ['１２３４５６７８', '12345678'],
  ['12a4', '12a4'],
  [' - ', ''],
])('the code %j is meant as %j', (typed, meant) => expect(plainCode(typed)).toBe(meant));

test.each([
  ['dana@example.com', undefined],
  ['dana reyes@example.com', undefined],
  ['josé@example.com', undefined],
  ['jose\u0301@example.com', undefined],
  ['dana\r\n@example.com', undefined],
  ['dana\u200B@example.com', 'U+200B'],
  ['\uFEFFdana@example.com', 'U+FEFF'],
  ['dana\u202E@example.com', 'U+202E'],
  ['dana\u2066@example.com', 'U+2066'],
  ['dana\u00AD@example.com', 'U+00AD'],
  ['dana\u00A0@example.com', 'U+00A0'],
  ['dana\u200D@example.com', 'U+200D'],
  ['dana\u3164@example.com', 'U+3164'],
  ['dana\u2800@example.com', 'U+2800'],
  ['dana\u007F@example.com', 'U+007F'],
  ['dana\u{E0041}@example.com', 'U+E0041'],
])('of %j the first invisible character is %s', (text, name) => {
  expect(invisibleIn(text)).toBe(name);
});
