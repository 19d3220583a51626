import { readFileSync } from 'node:fs';
import { readExpression, secondsOf, type Expression } from './promql.ts';
import type { Samples } from './samples.ts';

/** An alert rule of docs/watching/alerts.yml. */
export type Rule = { alert: string; expr: string; forSeconds: number; severity: string; summary: string };

const alertsFile = new URL('../../../docs/watching/alerts.yml', import.meta.url);

export function readAlertRules(): Rule[] {
  return readRules(readFileSync(alertsFile, 'utf8'));
}

/**
 * Reads a file of alert rules in the one form that ours are written in, line by line: an alert with its expression, which may
 * go on over further lines, how long it must hold, a severity and a summary. Throws for a line of another form.
 */
export function readRules(yaml: string): Rule[] {
  const rules: Rule[] = [];
  let isFolded = false;
  for (const [index, line] of yaml.split('\n').entries()) {
    const rule = rules.at(-1);
    const value = (key: string) => new RegExp(`^\\s+(?:- )?${key}: (.+)$`).exec(line)?.[1];
    if (isFolded && /^ {10}\S/.test(line)) {
      rule!.expr = `${rule!.expr} ${line.trim()}`.trim();
      continue;
    }
    isFolded = false;
    if (/^\s*(#.*)?$/.test(line) || /^(groups|\s+rules|\s+labels|\s+annotations):$/.test(line)) continue;
    if (/^ {2}- name: [\w-]+$/.test(line)) continue;
    const alert = value('alert');
    if (alert !== undefined) {
      rules.push({ alert, expr: '', forSeconds: 0, severity: '', summary: '' });
      continue;
    }
    if (rule === undefined) throw new Error(`line ${index + 1} is no line of a rule: ${line}`);
    const [expr, held, severity, summary] = ['expr', 'for', 'severity', 'summary'].map(value);
    if (expr === '>-') isFolded = true;
    else if (expr !== undefined) rule.expr = expr;
    else if (held !== undefined) rule.forSeconds = secondsOf(held);
    else if (severity !== undefined) rule.severity = severity;
    else if (summary !== undefined) rule.summary = summary;
    else throw new Error(`line ${index + 1} is no line of a rule: ${line}`);
  }
  return rules;
}

/** Evaluates rules again and again, as Prometheus does, and keeps what holds since when. */
export class Watch {
  readonly #rules: (Rule & { expression: Expression })[];
  readonly #since = new Map<string, number>();

  constructor(rules: Rule[]) {
    this.#rules = rules.map((rule) => ({ ...rule, expression: readExpression(rule.expr) }));
  }

  /** The alerts that fire at this moment, in seconds: their expression has held for as long as they ask. */
  firing(samples: Samples, at: number): string[] {
    return this.#rules.flatMap(({ alert, expression, forSeconds }) => {
      if (expression.evaluate(samples, at).length === 0) {
        this.#since.delete(alert);
        return [];
      }
      const since = this.#since.get(alert) ?? at;
      this.#since.set(alert, since);
      return at - since >= forSeconds ? [alert] : [];
    });
  }
}
