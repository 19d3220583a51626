import { corporationFile, importFiles } from './files.ts';

/** A CSV file of the folder that no import knows; `meant` is ours whose name is like its. */
export type UnknownFile = { file: string; meant: string | null };

const names: string[] = [corporationFile, ...Object.values(importFiles)].map(({ name }) => name);

/**
 * Those of a folder's files, by their names, that an import leaves where they are though they look
 * like its own.
 */
export function findUnknown(there: string[]): UnknownFile[] {
  return there
    .filter((file) => /\.csv$/i.test(file) && !names.includes(file))
    .sort((one, other) => one.localeCompare(other, 'en'))
    .map((file) => ({ file, meant: names.find((name) => plain(name) === plain(file)) ?? null }));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** What to say of them: one sentence, or none. */
export function unknownFilesText(files: UnknownFile[]): string[] {
  if (files.length === 0) return [];
  const listed = files.map(({ file, meant }) => {
    const name = file.replace(/\p{C}/gu, '?');
    return meant === null ? name : `${name} (did you mean ${meant}?)`;
  });
  return [`Not taken in, because no file of an import is called so: ${listed.join(', ')}.`];
}
