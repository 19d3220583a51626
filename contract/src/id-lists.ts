/** Ids a path may list: at most 50, comma-joined. */
export const MOST_IDS = 50;

/** The ids as paths list them: comma-joined, in as many lists as their limit needs, in order. */
export function idLists(ids: string[]): string[] {
  const lists: string[] = [];
  for (let from = 0; from < ids.length; from += MOST_IDS)
    lists.push(ids.slice(from, from + MOST_IDS).join(','));
  return lists;
}
