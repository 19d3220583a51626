import { StartFault } from '#errors/start-fault.ts';

/** What keeps the folder of an import from being read, in a sentence. */
export function readingFault(error: unknown, folder: string): StartFault {
  const { code = 'unknown fault' } = error as { code?: string };
  if (code === 'ENOENT') return new StartFault(`There is no folder ${folder}.`);
  if (code === 'ENOTDIR') return new StartFault(`${folder} is no folder.`);
  return new StartFault(`The folder ${folder} cannot be read ${becauseOf(code)}.`);
}

/** Why a file or folder cannot be read: `by this user (EACCES)`, or what else the system says. */
export function becauseOf(code: string): string {
  return code === 'EACCES' || code === 'EPERM' ? `by this user (${code})` : `(${code})`;
}

/** What the operator can put right about the folder of an export; null for a fault of ours. */
export function writingFault(error: unknown, folder: string): StartFault | null {
  const { code } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartFault(
      `The disk of ${folder} is full: there is no whole export. Free some space and export into a new folder.`,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new StartFault(
      `The folder ${folder} cannot be written by this user (${code}): there is no whole export.`,
    );
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new StartFault(`${folder} is no folder that can be exported to (${code}).`);
  return null;
}
