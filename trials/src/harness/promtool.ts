import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const alertsFile = fileURLToPath(new URL('../../../ops/watching/alerts.yml', import.meta.url));
const rules = readFileSync(alertsFile, 'utf8');

/** How many alert rules there are. */
export const ruleCount = rules.match(/- alert: /g)!.length;

/** Whether Prometheus' own tool is installed, of Debian's package `prometheus`. */
export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}

/**
 * A server's scraped metrics, as a unit test of the alert rules that promtool evaluates. Times are
 * in milliseconds since the first scrape, on the accelerated clock.
 */
export class Recording {
  readonly #folder: string;
  readonly #stepMs: number;
  readonly #begunSeconds: number;
  /** The values of each series by the number of their scrape. */
  readonly #series = new Map<string, Map<number, number>>();
  #scrapes = 0;

  /** For scrapes that come `stepMs` apart; `begunSeconds` is the server's time at the first. */
  constructor(folder: string, stepMs: number, begunSeconds: number) {
    this.#folder = folder;
    this.#stepMs = stepMs;
    this.#begunSeconds = begunSeconds;
  }

  /**
   * Adds what a rule may ask of a scrape in Prometheus' text form. Throws for a line that is none.
   */
  add(at: number, text: string): void {
    const number = Math.round(at / this.#stepMs);
    this.#scrapes = Math.max(this.#scrapes, number + 1);
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const [, series, name, value] = /^((\w+)(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      if (series === undefined || name === undefined)
        throw new Error(`no line of a scrape: ${line}`);
      if (!rules.includes(name)) continue;
      const values = this.#series.get(series) ?? new Map<number, number>();
      // promtool's time begins at 0.
      values.set(
        number,
        Number(value) - (name.endsWith('_timestamp_seconds') ? this.#begunSeconds : 0),
      );
      this.#series.set(series, values);
    }
  }

  /** Whether an alert, any where none is named, fired between two moments. */
  async fired(from: number, to: number, alert = '.*'): Promise<boolean> {
    const firing = `ALERTS{alertstate="firing",alertname=~"${alert}"}`;
    const expr = `max(max_over_time(${firing}[${Math.max(1, Math.round(to - from))}ms])) or vector(0)`;
    if ((await this.#test(expr, to, 1)) === '') return true;
    const fault = await this.#test(expr, to, 0);
    if (fault !== '') throw new Error(`promtool: ${fault}`);
    return false;
  }

  /** Has promtool expect a value; answers what it says where that is not so. */
  async #test(expr: string, at: number, value: number): Promise<string> {
    const step = `${this.#stepMs}ms`;
    const sample = { labels: '{}', value };
    const test = {
      interval: step,
      input_series: [...this.#series].map(([series, values]) => ({
        series,
        values: Array.from(
          { length: this.#scrapes },
          (_, number) => values.get(number) ?? '_',
        ).join(' '),
      })),
      promql_expr_test: [{ expr, eval_time: `${Math.round(at)}ms`, exp_samples: [sample] }],
    };
    const file = join(this.#folder, 'alerts.test.json');
    // JSON is YAML.
    await writeFile(
      file,
      JSON.stringify({ rule_files: [alertsFile], evaluation_interval: step, tests: [test] }),
    );
    return new Promise((resolve) => {
      execFile('promtool', ['test', 'rules', file], (error, out, err) =>
        resolve(error === null ? '' : out + err),
      );
    });
  }
}
