import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { columnsOf } from '../../server/src/operator/cli/columns.ts';
import type { ImportFile } from '../../server/src/operator/imports/columns.ts';
import { corporationFile, importFiles } from '../../server/src/operator/imports/files.ts';

const path = fileURLToPath(new URL('../import.md', import.meta.url));

/** A file with its columns in their order; needed ones have a star. */
function chapterOf({ name, says, columns }: ImportFile): string {
  const rows = columns.map(({ name: column, isRequired, says: what }) => [
    `${column}${isRequired ? '*' : ''}`,
    what,
  ]);
  return `### ${name}\n\n${says}\n\n\`\`\`\n${columnsOf(rows).join('\n')}\n\`\`\`\n`;
}

test('the page of the import has every file with its columns; --update writes them', async () => {
  const chapters = [corporationFile, ...Object.values(importFiles)].map(chapterOf);
  const page = readFileSync(path, 'utf8').replace(/^### [\s\S]*/m, chapters.join('\n'));
  await expect(page).toMatchFileSnapshot(path);
});
