import { describe, expect, test } from 'vitest';
import { readExpression } from './promql.ts';
import { Samples } from './samples.ts';

/** A counter of two servers, one of which began anew, and one of another status. */
function samplesOf(): Samples {
  const samples = new Samples();
  const scrape = (at: number, [a, b, bad]: [number, number, number]) =>
    samples.add(
      at,
      `# HELP requests_total Requests\n# TYPE requests_total counter\nrequests_total{server="a",status="200"} ${a}\n` +
        `requests_total{server="b",status="200"} ${b}\nrequests_total{server="a",status="503"} ${bad}\nup 1\n`,
    );
  scrape(0, [100, 40, 0]);
  scrape(60, [160, 100, 0]);
  scrape(120, [220, 20, 6]);
  return samples;
}

const ask = (expression: string, at = 120) => readExpression(expression).evaluate(samplesOf(), at);

describe('an expression', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 / 4 - 0.5', 2],
    ['14.4 * 0.001', 0.0144],
    ['time() - 100', 20],
  ])('reckons %s', (text, value) => expect(ask(text)[0]!.value).toBeCloseTo(value));

  test('picks the last value of a series by its labels, unless that is too old', () => {
    expect(ask('requests_total{status="200",server!="b"}')).toEqual([
      { labels: { server: 'a', status: '200' }, value: 220 },
    ]);
    expect(ask('requests_total{status=~"5.."}')).toEqual([{ labels: { server: 'a', status: '503' }, value: 6 }]);
    expect(ask('requests_total{status!~"2..|5.."}')).toEqual([]);
    expect(ask('up', 419)).toHaveLength(1);
    expect(ask('up', 420)).toEqual([]);
    expect(ask('up', -1)).toEqual([]);
  });

  test('counts what a counter rose by, also where its server began anew', () => {
    expect(ask('increase(requests_total{server="a",status="200"}[5m])')[0]!.value).toBe(120);
    expect(ask('increase(requests_total{server="b"}[5m])')[0]!.value).toBe(60 + 20);
    expect(ask('rate(requests_total{server="a",status="200"}[90s])')[0]!.value).toBe(1);
    expect(ask('rate(requests_total[30s])')).toEqual([]);
  });

  test('adds up and compares what is left by label', () => {
    expect(ask('sum by (server) (requests_total)')).toEqual([
      { labels: { server: 'a' }, value: 226 },
      { labels: { server: 'b' }, value: 20 },
    ]);
    expect(ask('max(requests_total) by (status) > 6')).toEqual([{ labels: { status: '200' }, value: 220 }]);
    const share = 'sum(rate(requests_total{status=~"5.."}[5m])) / sum(rate(requests_total[5m]))';
    expect(ask(share)[0]!.value).toBeCloseTo(6 / 206);
    expect(ask(`${share} > 0.03`)).toEqual([]);
    expect(ask(`${share} > 0.02 and sum(up) == 1`)).toHaveLength(1);
    expect(ask(`${share} > 0.02 and sum(up) != 1`)).toEqual([]);
    expect(ask(`${share} > 0.03 or sum(up) == 1`)).toEqual([{ labels: {}, value: 1 }]);
  });

  test('finds a quantile between the ends of its bucket', () => {
    const samples = new Samples();
    samples.add(0, 'took_bucket{le="1"} 50\ntook_bucket{le="2"} 90\ntook_bucket{le="+Inf"} 100\n');
    const at = (share: number) =>
      readExpression(`histogram_quantile(${share}, took_bucket)`).evaluate(samples, 0)[0]!.value;
    expect([at(0.5), at(0.7), at(0.99)]).toEqual([1, 1.5, 2]);
  });

  test('names its metrics with the labels that it asks of them', () => {
    const { metrics } = readExpression('sum(rate(a{b="c",d=~"e"}[5m])) / max by (f) (g)');
    expect(metrics).toEqual([
      { name: 'a', labels: ['b', 'd'] },
      { name: 'g', labels: [] },
    ]);
  });

  test.each(['sum(', 'up)', 'rate(up)', 'deriv(up[5m])', 'up offset 5m', 'up{a}', '"x"', '5x', 'up >', ''])(
    'that is none of ours is refused: %s',
    (text) => expect(() => readExpression(text)).toThrow(),
  );
});

test('a scrape’s labels may hold anything', () => {
  const samples = new Samples();
  samples.add(0, 'a{b="x\\"y\\\\z, {}=\\n",c="d"} 1.5e3 1700000000000\n');
  expect(samples.of('a')).toEqual([
    { name: 'a', labels: { b: 'x"y\\z, {}=\n', c: 'd' }, points: [{ at: 0, value: 1500 }] },
  ]);
  expect(() => samples.add(0, 'nonsense\n')).toThrow('no line of a scrape');
});
