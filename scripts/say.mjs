import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * A situation that the person at the keyboard can put right: `message` is one sentence for them.
 */
export class Trouble extends Error {}

/**
 * Says what is being done.
 * @param {string} line
 */
export function say(line) {
  process.stdout.write(`gatehouse: ${line}\n`);
}

/**
 * The time since `begun`, as people read it.
 * @param {number} begun from `Date.now()`
 */
export function since(begun) {
  const milliseconds = Date.now() - begun;
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Runs a script's work: trouble ends it with its sentence, anything else with the full error.
 * @param {() => Promise<void>} work
 */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    process.stderr.write(
      error instanceof Trouble
        ? `gatehouse: ${error.message}\n`
        : `${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

/**
 * Whether a script was started by its name and not imported.
 * @param {string} url its `import.meta.url`
 */
export function isStarted(url) {
  return process.argv[1] !== undefined && pathToFileURL(realpathSync(process.argv[1])).href === url;
}
