import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { columnsOf } from '../../server/src/operator/cli/columns.ts';
import { databaseCommands } from '../../server/src/operator/cli/commands.ts';

const path = fileURLToPath(new URL('../staff-commands.md', import.meta.url));

type Command = ReturnType<typeof databaseCommands>[number];

/** The commands below one, each with its words and what it does. */
function rowsOf(command: Command, before: string): string[][] {
  const words = `${before} ${command.name()}`;
  if (command.commands.length === 0) return [[words, command.description()]];
  return command.commands.flatMap((one) => rowsOf(one, words));
}

test('the page of commands lists each of them; --update writes them', async () => {
  const commands = databaseCommands(() => Promise.resolve());
  const rows = commands.flatMap((command) => rowsOf(command, 'gatehouse'));
  const list = columnsOf(rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
  const page = readFileSync(path, 'utf8').replace(
    /(?<=^```text\n)[\s\S]*?(?=^```$)/m,
    `${list.join('\n')}\n`,
  );
  await expect(page).toMatchFileSnapshot(path);
});
