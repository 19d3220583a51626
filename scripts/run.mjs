import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { environment, node26, root } from './setup.mjs';

/**
 * @typedef {{ cwd?: string, env?: Record<string, string>, stdio?:
 * import('node:child_process').StdioOptions, ownGroup?: boolean }} RunOptions
 */

/**
 * Starts a JavaScript or TypeScript file of this repo under Node 26.
 * @param {string} file relative to the repo
 * @param {string[]} [args]
 * @param {RunOptions} [options]
 */
export function startNode(
  file,
  args = [],
  { cwd = root, env = {}, stdio = 'inherit', ownGroup = false } = {},
) {
  return spawn(node26(), [...(file.startsWith('-') ? [file] : [join(root, file)]), ...args], {
    cwd,
    env: { ...environment(), ...env },
    stdio,
    // In a separate process group a child gets Ctrl-C once, from us, and not from the terminal too.
    detached: ownGroup && process.platform !== 'win32',
  });
}

/**
 * The exit code of a child when it has ended, as a shell would give it.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  });
}

/**
 * `kill` of npm ends npm and its shell only; the shell's end shows in the parent of this process,
 * and then the children are asked to stop.
 * @param {import('node:child_process').ChildProcess[]} children
 */
export function endWithNpm(children) {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    for (const child of children) child.kill('SIGTERM');
  }, 250);
  // The children keep this process alive, not the watch.
  watch.unref();
}

/**
 * Forwards SIGINT, SIGTERM and SIGHUP to the children, which end in their own order; this process
 * ends after them.
 * @param {import('node:child_process').ChildProcess[]} children
 */
export function forwardSignals(children) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal);
    });
  }
}
