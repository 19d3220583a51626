/**
 * The lines of a table whose rows all have as many cells: its first `names` columns begin at the
 * left, the others end at the right.
 */
export function columnsOf(rows: string[][], names = Infinity): string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]!.length)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) =>
        column < names ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
