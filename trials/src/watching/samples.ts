/** The labels of a series, without its name. */
export type Labels = Record<string, string>;
type Point = { at: number; value: number };
/** A metric with its labels, and what was read of it when, in seconds. */
export type Series = { name: string; labels: Labels; points: Point[] };

/** What was scraped over time, as Prometheus keeps it. */
export class Samples {
  readonly #series = new Map<string, Series>();

  /** Adds everything of one scrape, in Prometheus' text form. Throws for a line that is none. */
  add(at: number, text: string): void {
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const { name, labels, value } = readLine(line);
      const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
      const series = this.#series.get(key) ?? { name, labels, points: [] };
      series.points.push({ at, value });
      this.#series.set(key, series);
    }
  }

  of(name: string): Series[] {
    return [...this.#series.values()].filter((series) => series.name === name);
  }
}

function readLine(line: string): { name: string; labels: Labels; value: number } {
  const [, name, inside = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no line of a scrape: ${line}`);
  const labels = Array.from(inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label, text]) => [
    label!,
    text!.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one)),
  ]);
  return { name, labels: Object.fromEntries(labels) as Labels, value: numberOf(value) };
}

function numberOf(text: string): number {
  if (text === '+Inf') return Infinity;
  if (text === '-Inf') return -Infinity;
  return Number(text);
}
