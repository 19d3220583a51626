/**
 * A test by its file and its title; the title may begin with those of the blocks around it, joined
 * by ` › `.
 */
export type TestName = { file: string; title: string };

/**
 * A row of docs/specification.md: one statement, the files where it lives, the tests that prove it.
 */
export type Row = { number: string; statement: string; where: string[]; tests: TestName[] };

/** What the table is held against. */
export type Repository = {
  /** Whether a path from the repository's root leads to a file or a folder. */
  has(path: string): boolean;
  /** The titles of a test file's tests, each with those of the blocks around it. */
  testsIn(file: string): string[];
};

/**
 * Reads the tables of a page, one under each heading `## <section>. …`:
 *
 *   | # | Statement | Where | Test |
 *   | 2.14 | the statement | `a.ts`<br>`b.ts` | `a.test.ts`: "title"<br>`b.test.ts`: "title" |
 *
 * `-` stands for a cell that is still to be filled. `faults` names the lines that are not of this
 * form, and the numbers that are out of order.
 */
export function readTable(markdown: string): { rows: Row[]; faults: string[] } {
  const rows: Row[] = [];
  const faults: string[] = [];
  let section = 0;
  let last = 0;
  for (const [index, line] of markdown.split('\n').entries()) {
    const heading = /^## (\d+)\. /.exec(line);
    if (heading) {
      section = Number(heading[1]);
      last = 0;
    }
    if (!line.startsWith('|') || /^\|( #|[ :]*-+[ :]*\|[ :|-]*$)/.test(line)) continue;
    try {
      const row = readRow(line);
      const place = placeOf(row.number, section);
      if (place <= last) throw new Error(`${row.number} comes after ${section}.${last}`);
      last = place;
      rows.push(row);
    } catch (error) {
      faults.push(`line ${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { rows, faults };
}

/**
 * What is wrong with a row: places or tests that are missing, or that the repository does not have.
 */
export function faultsOf({ number, where, tests }: Row, repository: Repository): string[] {
  const faults: string[] = [];
  if (where.length === 0) faults.push(`${number} does not say where it lives`);
  for (const path of where)
    if (!repository.has(path)) faults.push(`${number}: there is no ${path}`);
  if (tests.length === 0) faults.push(`${number} has no test`);
  for (const { file, title } of tests) {
    if (!/\.(test|spec|contract)\.tsx?$/.test(file))
      faults.push(`${number}: ${file} is no test file`);
    else if (!repository.has(file)) faults.push(`${number}: there is no ${file}`);
    else if (
      !repository.testsIn(file).some((known) => known === title || known.endsWith(` › ${title}`))
    )
      faults.push(`${number}: ${file} has no test "${title}"`);
  }
  return faults;
}

function readRow(line: string): Row {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  const [number = '', statement = '', where = '', test = ''] = cells;
  if (cells.length !== 4) throw new Error(`${number} has ${cells.length} cells, not 4`);
  if (statement === '') throw new Error(`${number} states nothing`);
  return {
    number,
    statement: unescaped(statement),
    where: partsOf(where).map((part) => matched(part, /^`([^`]+)`$/, number, 'a place')[0]!),
    tests: partsOf(test).map((part) => {
      const [file, title] = matched(part, /^`([^`]+)`: "(.+)"$/, number, 'a test');
      return { file: file!, title: unescaped(title!) };
    }),
  };
}

function placeOf(number: string, section: number): number {
  const [, itsSection, place] = /^(\d+)\.(\d+)$/.exec(number) ?? [];
  if (itsSection === undefined) throw new Error(`"${number}" is no number such as ${section}.1`);
  if (Number(itsSection) !== section) throw new Error(`${number} stands in section ${section}`);
  return Number(place);
}

/** The parts of a cell, one a line of it; none where it is still to be filled. */
function partsOf(cell: string): string[] {
  return cell === '-' || cell === '' ? [] : cell.split('<br>').map((part) => part.trim());
}

function matched(part: string, form: RegExp, number: string, what: string): string[] {
  const groups = form.exec(part)?.slice(1);
  if (groups === undefined) throw new Error(`${number}: ${part} is not written as ${what}`);
  return groups;
}

/** Text as it is read, without the backslashes that Markdown needs in front of some characters. */
function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
