/** A pattern for LIKE of what begins with a text, in lower case. */
export function beginningOf(text: string): string {
  return `${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;
}
