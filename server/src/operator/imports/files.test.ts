import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ImportFile } from './columns.ts';
import { corporationFile, importFiles } from './files.ts';

/** A text without its breaks of lines and columns. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
const page = inOneLine(
  readFileSync(new URL('../../../../docs/import.md', import.meta.url), 'utf8'),
);

/** A file as docs/import.md has it: needed columns have a star. */
function chapterOf({ name, says, columns }: ImportFile): string {
  const lines = columns.map(
    ({ name: column, isRequired, says: what }) => `${column}${isRequired ? '*' : ''} ${what}`,
  );
  return inOneLine(['###', name, says, '```', ...lines, '```'].join(' '));
}

test.each(
  [corporationFile, ...Object.values(importFiles)].map((file) => [file.name, file] as const),
)('docs/import.md has the columns of %s, in their order', (_, file) => {
  expect(page).toContain(chapterOf(file));
});
