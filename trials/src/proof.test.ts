import { expect, test } from 'vitest';
import { readCommand } from './command.ts';
import {
  divide,
  holds,
  join,
  judgedIf,
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  describeFigure,
  reported,
  type Proof,
} from './harness/proof.ts';

test('a figure is printed with its limit', () => {
  expect(describeFigure(mustBe('captured twice', 0, 0))).toBe('captured twice: 0 (must be 0)');
  expect(describeFigure(mustBeAtMost('seconds', 10.257, 60))).toBe(
    'seconds: 10.26 (must be at most 60)',
  );
  expect(describeFigure(mustBeAtLeast('trials', 3, 5))).toBe('trials: 3 (must be at least 5)');
  expect(describeFigure(reported('connections lost', 7))).toBe('connections lost: 7');
});

test('a figure holds when it is what it must be', () => {
  expect(
    [mustBe('a', 1, 0), mustBeAtMost('b', 61, 60), mustBeAtLeast('c', 4, 5)].map(holds),
  ).toEqual([false, false, false]);
  expect(
    [
      mustBe('a', 0, 0),
      mustBeAtMost('b', 60, 60),
      mustBeAtLeast('c', 5, 5),
      reported('d', 1),
    ].every(holds),
  ).toBe(true);
});

test('the figures of parts are added up, and of the worst the worst is kept', () => {
  const parts = [1, 2].map((part) => [
    mustBe('kills', 50, 50),
    mustBe('lost', part - 1, 0),
    mustBeAtMost('seconds', part * 10, 60),
    reported('orphans', part),
  ]);
  expect(join(parts)).toEqual([
    mustBe('kills', 100, 100),
    mustBe('lost', 1, 0),
    mustBeAtMost('seconds', 20, 60),
    reported('orphans', 3),
  ]);
});

test('a size is divided without a rest', () => {
  expect(divide({ kills: 7, payments: 10 }, 3)).toEqual([
    { kills: 3, payments: 4 },
    { kills: 2, payments: 3 },
    { kills: 2, payments: 3 },
  ]);
});

const proof: Proof = {
  name: 'R1',
  title: '',
  sizes: { small: { kills: 20, payments: 300 }, full: { kills: 500, payments: 10_000 } },
  run: () => Promise.resolve([]),
};

test('the command names proofs, their size and a seed', () => {
  expect(readCommand([], [proof])).toMatchObject({
    chosen: [{ size: { kills: 20, payments: 300 } }],
    seed: 1,
  });
  expect(readCommand(['r1', '--full', '--seed', '7'], [proof])).toMatchObject({
    chosen: [{ size: { kills: 500, payments: 10_000 } }],
    seed: 7,
  });
  expect(readCommand(['R1', '--size', 'kills=5'], [proof])).toMatchObject({
    chosen: [{ size: { kills: 5, payments: 300 } }],
  });
});

test('a name may mean several proofs, each of them run once', () => {
  const others = { T10: ['R1', 'R2'] };
  const both = [proof, { ...proof, name: 'R2' }];
  expect(readCommand(['t10', 'R2'], both, others)).toMatchObject({
    chosen: [{ proof: { name: 'R1' } }, { proof: { name: 'R2' } }],
  });
});

test('a command that cannot be meant is answered in a sentence', () => {
  expect(readCommand(['R9'], [proof])).toBe('There is no proof R9: the proofs are R1.');
  expect(readCommand(['R1', '--size', 'cars=5'], [proof])).toBe(
    'R1 has no size cars: its sizes are kills, payments.',
  );
  expect(readCommand(['--seed', 'x'], [proof])).toBe('--seed must be a whole number.');
});

test('a figure of time is judged at full size only, and reported at any', () => {
  const slow = mustBeAtMost('seconds', 61, 60);
  expect([judgedIf(true, slow), judgedIf(false, slow)].map(holds)).toEqual([false, true]);
  expect(describeFigure(judgedIf(false, slow))).toBe('seconds: 61');
});
