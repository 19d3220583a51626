/** The longest line of prose and comments. */
const COLUMNS = 100;

/**
 * The numbers of the lines of Markdown prose with more than 100 columns. Code, tables and what
 * cannot be broken, as a link by itself on its line, may be longer.
 */
export function longProse(markdown: string): number[] {
  let isCode = false;
  return longLines(markdown, (line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode && !line.trimStart().startsWith('|');
  });
}

/**
 * The numbers of the lines of comments with more than 100 columns. A directive of the linter, whose
 * reason must be on its line, may be longer.
 */
export function longComments(source: string): number[] {
  return longLines(
    source,
    (line) => /^\s*(\/\/|\/\*|\* )/.test(line) && !line.includes('oxlint-disable'),
  );
}

function longLines(text: string, isText: (line: string) => boolean): number[] {
  return text.split('\n').flatMap((line, index) => {
    // For each line, because `isText` notes fences.
    const counts = isText(line);
    const words = line.trim().split(' ');
    // A bullet or number with one word or one link.
    const isWhole = words.length <= 2 || /^\S+ \[[^\]]*\]\(\S*\)$/.test(line.trim());
    return counts && line.length > COLUMNS && !isWhole ? [index + 1] : [];
  });
}
