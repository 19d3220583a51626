import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from './app.ts';

type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[] };

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('ops/watching/dashboard.json')) as Dashboard;
/**
 * Each alert with its expression, which is all up to the next key; whether the rules are sound,
 * promtool says.
 */
const alerts = Array.from(
  read('ops/watching/alerts.yml').matchAll(/- alert: (\w+)\s+expr: ([^]+?)\n\s+(?:for|labels):/g),
  ([, alert, expr]) => [alert!, expr!],
);
/** Prometheus' own metric: whether it reached a server. */
const OWN = { name: 'up', labels: ['job'] };

const api = useTestApp('demo_template');
/** The metrics that the app exports, with their labels. */
let exported: Map<string, string[]>;
beforeAll(async () => {
  await api.call('GET', '/corporations/ANCHOR/locations');
  const { statusCode } = await api.operatorApp.inject('/metrics');
  expect(statusCode).toBe(200);
  // The library has no type for a metric's labels.
  const metrics = api.ctx.metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  exported = new Map([[OWN.name, OWN.labels]]);
  for (const { name, type, labelNames } of metrics) {
    if (type !== 'histogram') exported.set(name, labelNames);
    else
      for (const end of ['bucket', 'sum', 'count'])
        exported.set(`${name}_${end}`, [...labelNames, 'le']);
  }
});

/** A metric is what no bracket follows; the labels that are asked of it may. */
const METRIC = /\b([a-z_]\w*)\b(?:\{([^}]*)\})?(?!\w*\s*\()/g;
const OPERATORS = ['and', 'or', 'by'];

/** The metrics and labels of an expression that the app does not export. */
function unknownIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\bby \([^)]*\)/g, '');
  return Array.from(bare.matchAll(METRIC)).flatMap(([, name = '', asked = '']) => {
    const known = exported.get(name);
    if (known === undefined) return OPERATORS.includes(name) ? [] : [name];
    const labels = asked.match(/\w+/g) ?? [];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name}{${label}}`);
  });
}

describe('each watched metric', () => {
  test('is asked for by alerts, each name once', () => {
    const names = read('ops/watching/alerts.yml').match(/(?<=- alert: )\w+/g);
    expect(alerts.map(([alert]) => alert)).toEqual(names);
    expect(new Set(names).size).toBe(names!.length);
  });

  test.each(alerts)('is exported by the app, in the alert %s', (_, expr) =>
    expect(unknownIn(expr)).toEqual([]),
  );

  test.each(
    dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr])),
  )('is exported by the app, on the dashboard’s %s', (_, expr) =>
    expect(unknownIn(expr)).toEqual([]),
  );

  test('is documented: docs/watching/metrics.md names each metric of ours once', () => {
    const documented = Array.from(
      read('docs/watching/metrics.md').matchAll(/^\| `(gatehouse_\w+)`/gm),
      ([, name]) => name!,
    );
    const ours = api.ctx.metrics.registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('gatehouse_'));
    expect(documented.toSorted()).toEqual(ours.toSorted());
  });

  test('an unknown metric or label is found', () => {
    const expression =
      'sum by (x) (rate(gatehouse_nothing[5m])) > 1e3 * gatehouse_mail_lag_seconds{sort="code"} or uptime and up';
    expect(unknownIn(expression)).toEqual([
      'gatehouse_nothing',
      'gatehouse_mail_lag_seconds{sort}',
      'uptime',
    ]);
  });
});
