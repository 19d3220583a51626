import { useRecordContext } from 'react-admin';

/**
 * The record of a page once it is whole. Coming from a list, react-admin shows the list's row until
 * the record itself is read; `part` is a field that a row lacks.
 */
export function useWholeRecord<File extends Record<string, unknown>>(
  part: keyof File & string,
): File | undefined {
  const record = useRecordContext<File>();
  return record !== undefined && part in record ? record : undefined;
}
