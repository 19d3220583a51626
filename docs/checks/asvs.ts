/** What shows that a requirement holds besides tests, or that it is known not to. */
export type Evidence =
  | { kind: 'text'; file: string; text: string }
  | { kind: 'attack'; name: string }
  | { kind: 'mark'; mark: string };

/** A line of docs/asvs.md. `level` is that of the heading above it. */
export type Requirement = { number: string; level: number; evidence: Evidence[] };

/** The files that evidence is looked for in, and the attacks and proofs that run. */
export type Evident = { has(file: string): boolean; text(file: string): string; runs: string[] };

/**
 * Reads the lines of docs/asvs.md below each heading `## Level <n> (…)`:
 *
 *   1.2.4 what holds it
 *   1.2.5 what holds it [T19; docs/page.md "Heading"; rules.js "no-eval"; deviation]
 *
 * @throws {Error} for evidence that is written in another way.
 */
export function readRequirements(markdown: string): Requirement[] {
  let level = 0;
  return markdown.split('\n').flatMap((line) => {
    level = Number(/^## Level (\d) /.exec(line)?.[1] ?? level);
    const [, number, shown] = /^(\d+\.\d+\.\d+) .+?(?: \[([^[\]]+)\])?$/.exec(line) ?? [];
    if (number === undefined) return [];
    return [{ number, level, evidence: shown?.split('; ').map(readEvidence) ?? [] }];
  });
}

function readEvidence(words: string): Evidence {
  if (/^[TR]\d+$/.test(words)) return { kind: 'attack', name: words };
  if (/^(deviation|operator|not yet)$/.test(words)) return { kind: 'mark', mark: words };
  const [, file, text] = /^(\S+) "(.+)"$/.exec(words) ?? [];
  if (file === undefined || text === undefined) throw new Error(`"${words}" shows nothing`);
  return { kind: 'text', file, text };
}

/** What a requirement cites and the repository does not have. */
export function missingEvidence({ number, evidence }: Requirement, repository: Evident): string[] {
  return evidence.flatMap((one) => {
    if (one.kind === 'mark') return [];
    if (one.kind === 'attack')
      return repository.runs.includes(one.name) ? [] : [`${number}: ${one.name} is not run`];
    if (!repository.has(one.file)) return [`${number}: there is no ${one.file}`];
    const text = repository.text(one.file);
    const isThere = one.file.endsWith('.md')
      ? text.split('\n').some((line) => /^#+ (.+)$/.exec(line)?.[1] === one.text)
      : text.includes(one.text);
    return isThere ? [] : [`${number}: ${one.file} has no "${one.text}"`];
  });
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
