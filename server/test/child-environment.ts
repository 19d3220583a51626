import { join } from 'node:path';
import { movedClock } from './moved-clock.ts';

/**
 * The environment of a test's child processes, without anything else of this one's. They share a
 * compile cache, which saves half of a start.
 */
export const childEnvironment = {
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/gatehouse-compiled'),
  ...movedClock,
};
