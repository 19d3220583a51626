import { expect, it } from 'vitest';
import { idleState, timeLeft } from './idle.ts';

const minutes = (count: number) => count * 60_000;

it('warns after 28 minutes and ends after 30, by the wall clock', () => {
  expect(idleState(0, minutes(28) - 1)).toBe('active');
  expect(idleState(0, minutes(28))).toBe('warned');
  expect(idleState(0, minutes(30) - 1)).toBe('warned');
  expect(idleState(0, minutes(30))).toBe('ended');
  expect(idleState(0, minutes(600))).toBe('ended');
});

it('counts down the two minutes between', () => {
  expect(timeLeft(0, minutes(28))).toBe('2:00');
  expect(timeLeft(0, minutes(29) + 1)).toBe('1:00');
  expect(timeLeft(0, minutes(30) - 1)).toBe('0:01');
  expect(timeLeft(0, minutes(31))).toBe('0:00');
});
