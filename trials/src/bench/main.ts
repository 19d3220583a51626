import { benches } from './benches.ts';

/**
 * The benchmarks of docs/benchmarks.md. `npm run bench -- NAME` runs one (benches.ts), with its
 * options behind the name; without a name it is `requests`. `npm run bench -- table` runs those of
 * the table of aims and prints it, `-- table --long` the long ones too; `-- small` runs every bench
 * at its smallest size.
 */
const [given = 'requests'] = process.argv.slice(2);
// Every bench reads its options behind its name.
if (given.startsWith('--')) process.argv.splice(2, 0, 'requests');
const name = given.startsWith('--') ? 'requests' : given;
if (name === 'table') await import('./table.ts');
else if (name === 'small') await import('./small.ts');
else if (Object.hasOwn(benches, name)) await import(`./${name}.ts`);
else {
  console.error(
    `There is no bench “${name}”. The benches are ${Object.keys(benches).join(', ')}; table and small run several.`,
  );
  process.exitCode = 2;
}
