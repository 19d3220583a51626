import type { Repository } from './table.ts';

/** What shows that a requirement holds, or that it is known not to. */
export type Evidence =
  | { kind: 'test' | 'page' | 'rule'; file: string; title: string }
  | { kind: 'attack'; name: string }
  | { kind: 'mark'; mark: 'deviation' | 'operator' | 'not yet' };

/** A row of docs/asvs.md. `level` is the section that it stands in. */
export type Requirement = { number: string; level: number; evidence: Evidence[] };

/**
 * What the table is held against, beside the tests: the text of any file, and the names of the
 * attacks and proofs that run.
 */
export type Evident = Repository & { text(file: string): string; runs: string[] };

/**
 * Reads the tables of docs/asvs.md, one under each heading `## Level <n> (…)`:
 *
 *   | # | It asks | What holds it | Shown by |
 *   | 1.2.4 | words | words | `a.test.ts`: "title"<br>`page.md`: "Heading"<br>T19<br>deviation |
 *
 * `faults` names the lines that are not of this form.
 */
export function readRequirements(markdown: string): {
  requirements: Requirement[];
  faults: string[];
} {
  const requirements: Requirement[] = [];
  const faults: string[] = [];
  let level = 0;
  for (const [index, line] of markdown.split('\n').entries()) {
    level = Number(/^## Level (\d) /.exec(line)?.[1] ?? level);
    if (!/^\| \d/.test(line)) continue;
    const cells = line
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    const [number = '', asks, holds, shown = ''] = cells;
    const evidence = shown.split('<br>').map(readEvidence);
    if (
      cells.length !== 4 ||
      !/^\d+\.\d+\.\d+$/.test(number) ||
      asks === '' ||
      holds === '' ||
      evidence.includes(null)
    )
      faults.push(`line ${index + 1} is no row of the table: ${line.slice(0, 80)}`);
    else requirements.push({ number, level, evidence: evidence.filter((one) => one !== null) });
  }
  return { requirements, faults };
}

function readEvidence(text: string): Evidence | null {
  if (/^[TR]\d+$/.test(text)) return { kind: 'attack', name: text };
  if (text === 'deviation' || text === 'operator' || text === 'not yet')
    return { kind: 'mark', mark: text };
  const [, file, title] = /^`([^`]+)`: "(.+)"$/.exec(text) ?? [];
  if (file === undefined || title === undefined) return null;
  if (/\.(test|spec|contract)\.tsx?$/.test(file))
    return { kind: 'test', file, title: unescaped(title) };
  return { kind: file.endsWith('.md') ? 'page' : 'rule', file, title: unescaped(title) };
}

const unescaped = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** What a row cites and the repository does not have. */
export function missingEvidence({ number, evidence }: Requirement, repository: Evident): string[] {
  return evidence.flatMap((one) => {
    switch (one.kind) {
      case 'mark':
        return [];
      case 'attack':
        return repository.runs.includes(one.name) ? [] : [`${number}: ${one.name} is not run`];
      default:
        if (!repository.has(one.file)) return [`${number}: there is no ${one.file}`];
        return isThere(one, repository) ? [] : [`${number}: ${one.file} has no "${one.title}"`];
    }
  });
}

function isThere(
  { kind, file, title }: Extract<Evidence, { file: string }>,
  repository: Evident,
): boolean {
  switch (kind) {
    case 'test':
      return repository
        .testsIn(file)
        .some((known) => known === title || known.endsWith(` › ${title}`));
    case 'page':
      return repository
        .text(file)
        .split('\n')
        .some((line) => line.replace(/^#+ /, '') === title && line !== title);
    case 'rule':
      return repository.text(file).includes(title);
  }
}

/** `1.2.1-3, 2.1.1` as its numbers: 1.2.1, 1.2.2, 1.2.3, 2.1.1. */
export function numbersOf(text: string): string[] {
  return text.split(', ').flatMap((part) => {
    const [, section, first, last] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(part)!;
    return Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_, nth) => `${section}.${Number(first) + nth}`,
    );
  });
}

/**
 * The requirements that SECURITY.md says we deviate from: those at the beginning of a bold
 * paragraph.
 */
export function deviationsIn(security: string): string[] {
  return Array.from(
    security.matchAll(/^\*\*(.+?)\*\*/gm),
    ([, head]) => head!.match(/\b\d+\.\d+\.\d+\b/g) ?? [],
  ).flat();
}
