import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longComments, longProse } from './columns.ts';

/** Names the lines of prose and comments with more than 100 columns; exits with 1 for any. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = globSync(
  [
    '*.{md,cjs,ts}',
    '{language,contract,server,web,office,e2e,trials,ops,scripts,docs}/**/*.{md,ts,tsx,mjs}',
  ],
  {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|test-results|\.[a-z]+)(\/|$)/.test(path),
  },
);
const faults = files.flatMap((file) => {
  const find = file.endsWith('.md') ? longProse : longComments;
  return find(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`);
});
for (const fault of faults) console.error(`${fault}: more than 100 columns; break the line.`);
process.exitCode = faults.length === 0 ? 0 : 1;
