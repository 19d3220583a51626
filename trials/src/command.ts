import { parseArgs } from 'node:util';
import type { Proof, Size } from './harness/proof.ts';

/** The parsed command line. */
export type Command = {
  chosen: { proof: Proof; size: Size }[];
  seed: number;
  /** How many proofs run at a time, each on a separate PostgreSQL. */
  together: number;
};

/**
 * The command, or an error message. `others` are names for several proofs,
 * in addition to the one of that name, if any.
 */
export function readCommand(
  args: string[],
  proofs: Proof[],
  others: Record<string, string[]> = {},
): Command | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        size: { type: 'string' },
        seed: { type: 'string', default: '1' },
        together: { type: 'string', default: '1' },
      },
    });
    const names = positionals.flatMap((given) => {
      const name = given.toUpperCase();
      const isOne = others[name] === undefined || proofs.some((proof) => proof.name === name);
      return [...(isOne ? [name] : []), ...(others[name] ?? [])];
    });
    const unknown = names.filter((name) => !proofs.some((proof) => proof.name === name));
    if (unknown.length > 0)
      return `There is no proof ${unknown.join(', ')}: the proofs are ${[...proofs.map(({ name }) => name), ...Object.keys(others)].join(', ')}.`;
    const named = [...new Set(names)].map((name) => proofs.find((proof) => proof.name === name)!);
    const chosen = (named.length === 0 ? proofs : named).map((proof) => ({
      proof,
      size: {
        ...(values.full ? proof.sizes.full : proof.sizes.small),
        ...sizeOf(values.size, proof),
      },
    }));
    return {
      chosen,
      seed: numberOf('--seed', values.seed),
      together: numberOf('--together', values.together),
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function sizeOf(text: string | undefined, { name, sizes }: Proof): Size {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [what = '', value = ''] = part.split('=');
      if (!(what in sizes.full))
        throw new Error(
          `${name} has no size ${what}: its sizes are ${Object.keys(sizes.full).join(', ')}.`,
        );
      return [what, numberOf(what, value)];
    }),
  );
}

function numberOf(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number.`);
  return Number(text);
}
