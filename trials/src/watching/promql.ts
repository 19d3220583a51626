import type { Labels, Samples, Series } from './samples.ts';

/** One value of an answer; the labels tell it from the others. */
export type Value = { labels: Labels; value: number };
type Answer = number | Value[];
type Node = (samples: Samples, at: number) => Answer;

/** An expression that was read, with the metrics that it names and the labels that it asks of each. */
export type Expression = {
  metrics: { name: string; labels: string[] }[];
  evaluate(samples: Samples, at: number): Value[];
};

/** A value that is older than this counts as gone, as Prometheus has it. */
const LOOKBACK_SECONDS = 300;

/**
 * Reads an expression of the part of PromQL that our alert rules are written in: selectors, ranges, rate, increase,
 * histogram_quantile, time, sum, max and min (by), arithmetic, comparisons, `and` and `or`. Throws for anything else. Other than
 * Prometheus, a rate goes by the first and last value inside its range and is not stretched to its ends.
 */
export function readExpression(text: string): Expression {
  const reader = new Reader(text);
  const node = reader.read();
  return {
    metrics: reader.metrics,
    evaluate(samples, at) {
      const answer = node(samples, at);
      return typeof answer === 'number' ? [{ labels: {}, value: answer }] : answer;
    },
  };
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])|(\d+[smhdw])|([A-Za-z_:][\w:]*)|("(?:[^"\\]|\\.)*")|(>=|<=|==|!=|=~|!~|[-+*/(){}[\],<>=]))/y;

/** From the weakest to the strongest; those of a row have the same strength. */
const STRENGTHS = [['or'], ['and'], ['>', '<', '>=', '<=', '==', '!='], ['+', '-'], ['*', '/']];

class Reader {
  readonly metrics: Expression['metrics'] = [];
  readonly #tokens: string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  read(): Node {
    const node = this.#operators(0);
    if (this.#next < this.#tokens.length) throw new Error(`what is ${this.#tokens[this.#next]} doing here?`);
    return node;
  }

  #operators(strength: number): Node {
    const row = STRENGTHS[strength];
    if (row === undefined) return this.#operand();
    let left = this.#operators(strength + 1);
    while (row.includes(this.#tokens[this.#next] ?? '')) {
      const operator = this.#take();
      const [one, other] = [left, this.#operators(strength + 1)];
      left = (samples, at) => combine(operator, one(samples, at), other(samples, at));
    }
    return left;
  }

  #operand(): Node {
    const token = this.#take();
    if (token === '(') return this.#until(')', this.#operators(0));
    if (/^\d/.test(token)) {
      const value = Number(token);
      if (Number.isNaN(value)) throw new Error(`${token} is no number`);
      return () => value;
    }
    if (/^(sum|max|min)$/.test(token)) return this.#aggregate(token);
    if (this.#tokens[this.#next] === '(') return this.#call(token);
    if (/^[A-Za-z_:]/.test(token)) return this.#selector(token);
    throw new Error(`what is ${token} doing here?`);
  }

  #aggregate(name: string): Node {
    let labels = this.#tokens[this.#next] === 'by' ? this.#by() : null;
    this.#expect('(');
    const inner = this.#until(')', this.#operators(0));
    labels ??= this.#tokens[this.#next] === 'by' ? this.#by() : [];
    const kept = labels;
    return (samples, at) => aggregate(name, kept, vectorOf(inner(samples, at)));
  }

  #by(): string[] {
    this.#expect('by');
    this.#expect('(');
    const labels: string[] = [];
    for (let token = this.#take(); token !== ')'; token = this.#take()) if (token !== ',') labels.push(token);
    return labels;
  }

  #call(name: string): Node {
    this.#expect('(');
    switch (name) {
      case 'time':
        return this.#until(')', (_samples, at) => at);
      case 'rate':
      case 'increase': {
        const { pick, seconds } = this.#range();
        return this.#until(')', (samples, at) =>
          pick(samples).flatMap((series) => rise(series, at - seconds, at, name === 'rate')),
        );
      }
      case 'histogram_quantile': {
        const share = this.#operators(0);
        this.#expect(',');
        const inner = this.#until(')', this.#operators(0));
        return (samples, at) => quantile(Number(share(samples, at)), vectorOf(inner(samples, at)));
      }
      default:
        throw new Error(`the function ${name} is not known here`);
    }
  }

  #selector(name: string): Node {
    const pick = this.#matching(name);
    return (samples, at) =>
      pick(samples).flatMap(({ labels, points }) => {
        const last = points.findLast((point) => point.at <= at);
        return last === undefined || last.at <= at - LOOKBACK_SECONDS ? [] : [{ labels, value: last.value }];
      });
  }

  #range(): { pick: (samples: Samples) => Series[]; seconds: number } {
    const pick = this.#matching(this.#take());
    this.#expect('[');
    const seconds = secondsOf(this.#take());
    this.#expect(']');
    return { pick, seconds };
  }

  #matching(name: string): (samples: Samples) => Series[] {
    const matchers: { label: string; fits: (text: string) => boolean }[] = [];
    if (this.#tokens[this.#next] === '{') {
      this.#take();
      for (let token = this.#take(); token !== '}'; token = this.#take())
        if (token !== ',')
          matchers.push({ label: token, fits: fitsOf(this.#take(), JSON.parse(this.#take()) as string) });
    }
    this.metrics.push({ name, labels: matchers.map(({ label }) => label) });
    return (samples) =>
      samples.of(name).filter(({ labels }) => matchers.every(({ label, fits }) => fits(labels[label] ?? '')));
  }

  #until(end: string, node: Node): Node {
    this.#expect(end);
    return node;
  }

  #expect(token: string): void {
    const found = this.#take();
    if (found !== token) throw new Error(`there should be ${token} in place of ${found}`);
  }

  #take(): string {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new Error('the expression ends too early');
    return token;
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.trimEnd().length; end = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`what is ${text.slice(end)} doing here?`);
    tokens.push(found.slice(1).find((part: string | undefined) => part !== undefined)!);
  }
  return tokens;
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `5m` in seconds. */
export function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`${text} is no time`);
  return Number(count) * SECONDS[unit]!;
}

function fitsOf(operator: string, text: string): (value: string) => boolean {
  const whole = () => new RegExp(`^(?:${text})$`);
  switch (operator) {
    case '=':
      return (value) => value === text;
    case '!=':
      return (value) => value !== text;
    case '=~':
      return (value) => whole().test(value);
    case '!~':
      return (value) => !whole().test(value);
    default:
      throw new Error(`labels are not compared by ${operator}`);
  }
}

/** What a counter rose by inside a range, also where its process began anew. Nothing of fewer than two values. */
function rise({ labels, points }: Series, from: number, to: number, isRate: boolean): Value[] {
  const inside = points.filter(({ at }) => at > from && at <= to);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  let value = 0;
  for (const [index, point] of inside.entries()) {
    const before = inside[index - 1];
    if (before !== undefined) value += point.value < before.value ? point.value : point.value - before.value;
  }
  return [{ labels, value: isRate ? value / (last.at - first.at) : value }];
}

function aggregate(name: string, by: string[], values: Value[]): Value[] {
  const groups = Map.groupBy(values, ({ labels }) => keyOf(only(labels, by)));
  return [...groups.values()].map((group) => {
    const numbers = group.map(({ value }) => value);
    const value = name === 'sum' ? numbers.reduce((sum, one) => sum + one, 0) : Math[name as 'max' | 'min'](...numbers);
    return { labels: only(group[0]!.labels, by), value };
  });
}

function only(labels: Labels, names: string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => names.includes(label)));
}

/** Between the ends of the bucket that holds it, evenly. */
function quantile(share: number, buckets: Value[]): Value[] {
  const groups = Map.groupBy(buckets, ({ labels: { le: _, ...rest } }) => keyOf(rest));
  return [...groups.values()].flatMap((group) => {
    const ends = group
      .map(({ labels, value }) => ({ end: labels.le === '+Inf' ? Infinity : Number(labels.le), count: value }))
      .sort((a, b) => a.end - b.end);
    const wanted = (ends.at(-1)?.count ?? 0) * share;
    const index = ends.findIndex(({ count }) => count >= wanted);
    const [bucket, before] = [ends[index], ends[index - 1] ?? { end: 0, count: 0 }];
    const { le: _, ...labels } = group[0]!.labels;
    if (bucket === undefined || wanted === 0) return [];
    if (bucket.end === Infinity) return [{ labels, value: before.end }];
    const part = (wanted - before.count) / (bucket.count - before.count);
    return [{ labels, value: before.end + (bucket.end - before.end) * part }];
  });
}

const arithmetic: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

function combine(operator: string, left: Answer, right: Answer): Answer {
  if (operator === 'and' || operator === 'or') return combineSets(operator, vectorOf(left), vectorOf(right));
  const compare = comparisons[operator];
  if (compare !== undefined)
    return pairsOf(left, right).flatMap(({ labels, a, b }) => (compare(a, b) ? [{ labels, value: a }] : []));
  const reckon = arithmetic[operator]!; // the others are in no row of STRENGTHS
  if (typeof left === 'number' && typeof right === 'number') return reckon(left, right);
  return pairsOf(left, right).map(({ labels, a, b }) => ({ labels, value: reckon(a, b) }));
}

function combineSets(operator: 'and' | 'or', left: Value[], right: Value[]): Value[] {
  const [inLeft, inRight] = [left, right].map((values) => new Set(values.map(({ labels }) => keyOf(labels))));
  return operator === 'and'
    ? left.filter(({ labels }) => inRight!.has(keyOf(labels)))
    : [...left, ...right.filter(({ labels }) => !inLeft!.has(keyOf(labels)))];
}

/** A number meets every value of the other side, a value that of the same labels. */
function pairsOf(left: Answer, right: Answer): { labels: Labels; a: number; b: number }[] {
  if (typeof left === 'number') return vectorOf(right).map(({ labels, value }) => ({ labels, a: left, b: value }));
  if (typeof right === 'number') return left.map(({ labels, value }) => ({ labels, a: value, b: right }));
  const others = new Map(right.map(({ labels, value }) => [keyOf(labels), value]));
  return left.flatMap(({ labels, value }) => {
    const other = others.get(keyOf(labels));
    return other === undefined ? [] : [{ labels, a: value, b: other }];
  });
}

function vectorOf(answer: Answer): Value[] {
  return typeof answer === 'number' ? [{ labels: {}, value: answer }] : answer;
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}
