import { describe, expect, test } from 'vitest';
import { longComments, longProse } from './columns.ts';

const long = 'word '.repeat(25);

describe('a line of more than 100 columns', () => {
  test('is found in prose, but not in code or a table', () => {
    const table = `| ${long} |`;
    expect(longProse(`${long}\n\`\`\`\n${long}\n\`\`\`\n${table}\n- ${long}`)).toEqual([1, 6]);
  });

  test('is found in a comment, but not in a directive', () => {
    expect(longComments(`// ${long}\n/** ${long} */\n * ${long}\nconst a = '${long}';`)).toEqual([
      1, 2, 3,
    ]);
    expect(longComments(`// oxlint-disable-next-line rule -- ${long}`)).toEqual([]);
  });
});
