import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { corporationFile, importFiles, type ImportFile } from './files.ts';

const page = readFileSync(new URL('../../../../docs/import.md', import.meta.url), 'utf8');

/** A file as docs/import.md has it. */
function chapterOf({ name, says, columns }: ImportFile): string[] {
  return [
    `### ${name}`,
    says,
    ...columns.map(
      ({ name: column, isRequired, says: what }) =>
        `\`${column}\` ${isRequired ? 'yes' : ''} ${what}`,
    ),
  ];
}

/** The page's paragraphs and rows, without the looks of its tables. */
const lines = page
  .replace(/(?<=[^\n|])\n(?=[^\n|#])/g, ' ')
  .split('\n')
  .map((line) =>
    line.startsWith('| `')
      ? line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
          .join(' ')
      : line,
  );

test.each(
  [corporationFile, ...Object.values(importFiles)].map((file) => [file.name, file] as const),
)('docs/import.md has the columns of %s, in their order', (_, file) => {
  const chapter = chapterOf(file);
  const from = lines.indexOf(chapter[0]!);
  expect(from).toBeGreaterThan(0);
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.startsWith('##'));
  const said = [lines[from]!, ...rest.slice(0, end < 0 ? rest.length : end)];
  expect(said.filter((line) => line !== '' && !/^\| ?(Column|-)/.test(line))).toEqual(chapter);
});
