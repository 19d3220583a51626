import type { Command } from 'commander';
import { expect } from 'vitest';
import type { Runner } from '../src/cli/runner.ts';
import type { TestApp } from './app.ts';

/** Runs commands as a terminal would, on the app's database; each call returns the output. */
export function cliOf(api: () => TestApp, commandOf: (run: Runner) => Command) {
  return async (...args: string[]): Promise<string> => {
    const printed: string[] = [];
    const command = commandOf(async (work) => {
      expect(await work(api().ctx, { line: (text) => printed.push(text), progress: () => {} })).toBe(0);
    });
    const quiet = { writeErr: () => {}, writeOut: () => {} };
    for (const each of [command, ...command.commands]) each.exitOverride().configureOutput(quiet);
    await command.parseAsync(args, { from: 'user' });
    return printed.join('\n');
  };
}
