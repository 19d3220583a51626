import { attacks, byProofs } from './attacks.ts';
import { readCommand } from './command.ts';
import { proofs } from './proofs.ts';
import { runProofs } from './run.ts';

/**
 * `npm run prove` runs every proof and every attack at its small size, `npm run prove -- R1 --full`
 * one at its full size; `--size kills=50,payments=1000`, `--seed 7` and `--together 2` as their
 * names say. Exits with 1 when a figure does not hold.
 */
const command = readCommand(process.argv.slice(2), [...proofs, ...attacks], byProofs);
if (typeof command === 'string') {
  console.error(command);
  process.exit(2);
}
process.exitCode = (await runProofs(command)) ? 0 : 1;
