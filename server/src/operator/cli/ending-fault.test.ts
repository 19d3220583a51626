import { expect, test } from 'vitest';
import { StartFault } from '#errors/start-fault.ts';
import { endingFault } from './ending-fault.ts';

const withCode = (code: string) => Object.assign(new Error('what it says'), { code });

test('a sentence for the operator ends a command as it is', () => {
  const fault = new StartFault('There is no facility X.');
  expect(endingFault(fault)).toBe(fault);
});

test.each([
  withCode('57P01'),
  withCode('ECONNREFUSED'),
  new Error('Connection terminated unexpectedly'),
])('a database that goes away meanwhile ends it in a sentence (%s)', (error) => {
  expect(endingFault(error)?.message).toBe(
    `The database went away meanwhile (${error.message}). What was done stays done; run the command again.`,
  );
});

test('a fault of ours has none, and neither has a file that is missing', () => {
  expect(endingFault(new TypeError('x'))).toBeNull();
  expect(endingFault(withCode('ENOENT'))).toBeNull();
  expect(endingFault('x')).toBeNull();
});
