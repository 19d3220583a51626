import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readExpression, type Expression } from '../../trials/src/watching/promql.ts';
import { readAlertRules } from '../../trials/src/watching/rules.ts';
import { openTestApp, type TestApp } from './app.ts';

type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[] };

const read = (file: string) => readFileSync(new URL(`../../docs/watching/${file}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
/** Prometheus' own: whether it reached a server. */
const OWN = { name: 'up', labels: ['job'] };

let api: TestApp;
/** What the app tells, each metric with its labels. */
let told: Map<string, string[]>;
beforeAll(async () => {
  api = await openTestApp('demo_template');
  await api.call('GET', '/corporations/ANCHOR/locations');
  const { statusCode } = await api.operatorApp.inject('/metrics');
  expect(statusCode).toBe(200);
  // The library keeps a metric's labels and has no type for them.
  const metrics = api.ctx.metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  told = new Map([[OWN.name, OWN.labels]]);
  for (const { name, type, labelNames } of metrics) {
    if (type !== 'histogram') told.set(name, labelNames);
    else for (const end of ['bucket', 'sum', 'count']) told.set(`${name}_${end}`, [...labelNames, 'le']);
  }
});
afterAll(() => api.close());

/** What an expression names that the app does not tell. */
function unknownIn({ metrics }: Expression): string[] {
  return metrics.flatMap(({ name, labels }) => {
    const known = told.get(name);
    if (known === undefined) return [name];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name}{${label}}`);
  });
}

describe('what is watched', () => {
  test.each(readAlertRules().map(({ alert, expr }) => [alert, expr]))(
    'is told by the app, in the alert %s',
    (_, expr) => expect(unknownIn(readExpression(expr))).toEqual([]),
  );

  test.each(dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr])))(
    'is told by the app, on the dashboard’s %s',
    (_, expr) => expect(unknownIn(readExpression(expr.replaceAll('$__rate_interval', '5m')))).toEqual([]),
  );

  test('is all of ours that there is: docs/watching/metrics.md names each once', () => {
    const documented = Array.from(read('metrics.md').matchAll(/^\| `(gatehouse_\w+)`/gm), ([, name]) => name!);
    const ours = api.ctx.metrics.registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('gatehouse_'));
    expect(documented.toSorted()).toEqual(ours.toSorted());
  });

  test('a metric or a label that nobody tells is found', () => {
    const expression = readExpression('gatehouse_nothing > gatehouse_mail_lag_seconds{sort="code"}');
    expect(unknownIn(expression)).toEqual(['gatehouse_nothing', 'gatehouse_mail_lag_seconds{sort}']);
  });
});
