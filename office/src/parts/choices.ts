/** Codes with their words, in the order of the words, which are what is searched. */
export function choicesOf(labels: Record<string, string>): { id: string; name: string }[] {
  return Object.entries(labels)
    .map(([id, name]) => ({ id, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
