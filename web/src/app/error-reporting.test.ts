import { beforeEach, describe, expect, test } from 'vitest';
import { createErrorBuffer } from './error-reporting.ts';

let page: EventTarget;
let reported: [unknown, boolean][];
const report = (...entry: [unknown, boolean]) => void reported.push(entry);

const thrown = (error: unknown) =>
  page.dispatchEvent(Object.assign(new Event('error'), { error, message: 'Script error.' }));
const rejected = (reason: unknown) =>
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));

beforeEach(() => {
  page = new EventTarget();
  reported = [];
});

describe('until there is something to report with, what goes wrong', () => {
  test('is held, in its order: thrown, rejected, caught by the error page', () => {
    const buffer = createErrorBuffer(page);
    const [first, second, third] = [new Error('1'), new Error('2'), new Error('3')];
    thrown(first);
    rejected(second);
    buffer.report(third);
    buffer.handOver(report);
    expect(reported).toEqual([
      [first, false],
      [second, false],
      [third, true],
    ]);
  });

  test('is held by its message where a script of another origin threw', () => {
    const buffer = createErrorBuffer(page);
    thrown(null);
    buffer.handOver(report);
    expect(reported).toEqual([['Script error.', false]]);
  });

  test('is held ten times and no more', () => {
    const buffer = createErrorBuffer(page);
    for (let time = 0; time < 50; time += 1) thrown(new Error(String(time)));
    buffer.handOver(report);
    expect(reported).toHaveLength(10);
  });
});

test('after that what the error page caught continues at once, and the rest is no longer listened to', () => {
  const buffer = createErrorBuffer(page);
  buffer.handOver(report);
  thrown(new Error('heard by the SDK itself'));
  const caught = new Error('caught');
  buffer.report(caught);
  expect(reported).toEqual([[caught, true]]);
});

test('without a sink nothing is kept', () => {
  const buffer = createErrorBuffer(page);
  thrown(new Error('early'));
  buffer.handOver(null);
  buffer.report(new Error('late'));
  buffer.handOver(report);
  expect(reported).toEqual([]);
});
