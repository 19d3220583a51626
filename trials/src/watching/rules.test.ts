import { describe, expect, test } from 'vitest';
import { readAlertRules, readRules, Watch } from './rules.ts';
import { Samples } from './samples.ts';

const file = `# Words.
groups:
  - name: one
    rules:
      - alert: TooHot
        expr: >-
          max(heat)
          > 10
        for: 2m
        labels:
          severity: page
        annotations:
          summary: It is too hot.
      - alert: Cold
        expr: heat < 1
        labels:
          severity: ticket
        annotations:
          summary: It is cold.
`;

describe('a file of rules', () => {
  test('is read, with expressions over several lines', () => {
    expect(readRules(file)).toEqual([
      { alert: 'TooHot', expr: 'max(heat) > 10', forSeconds: 120, severity: 'page', summary: 'It is too hot.' },
      { alert: 'Cold', expr: 'heat < 1', forSeconds: 0, severity: 'ticket', summary: 'It is cold.' },
    ]);
  });

  test.each(['      - record: x', '        keep_firing_for: 5m', 'nonsense'])(
    'with a line of another form is refused: %s',
    (line) => expect(() => readRules(`${file}${line}\n`)).toThrow('is no line of a rule'),
  );

  test('of ours holds whole rules alone, each name once', () => {
    const rules = readAlertRules();
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, expr, severity, summary } of rules)
      expect([alert, expr !== '' && summary !== '', ['page', 'ticket'].includes(severity)]).toEqual([
        alert,
        true,
        true,
      ]);
  });
});

test('an alert fires once its expression has held for as long as it asks, and no longer than it holds', () => {
  const watch = new Watch(readRules(file));
  const samples = new Samples();
  const fired = [11, 12, 13, 9, 15, 0.5].map((heat, index) => {
    samples.add(index * 60, `heat ${heat}\n`);
    return watch.firing(samples, index * 60);
  });
  expect(fired).toEqual([[], [], ['TooHot'], [], [], ['Cold']]);
});
