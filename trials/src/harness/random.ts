/** Choices that the same seed makes again, in the same order. */
export type Random = {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(things: readonly T[]): T;
  /** The things in any order. */
  shuffled<T>(things: readonly T[]): T[];
  /** By weight: `{ pay: 3, charge: 1 }` gives `pay` three times out of four. */
  weighted<Name extends string>(weights: Record<Name, number>): Name;
  /** Shaped like a random UUID. */
  uuid(): string;
};

/**
 * The generator sfc32, which passes the usual tests and is fast; its four words are mixed from the
 * seed.
 */
export function randomOf(seed: number): Random {
  let [a, b, c, d] = [mix(seed), mix(seed ^ 0x9e3779b9), mix(seed ^ 0x85ebca6b), 1];
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) word();
  const next = () => word() / 2 ** 32;
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const hex = () => word().toString(16).padStart(8, '0');
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (things) => things[between(0, things.length - 1)]!, // an empty list is a fault of the model
    shuffled(things) {
      const left = [...things];
      return things.map(() => left.splice(between(0, left.length - 1), 1)[0]!);
    },
    weighted(weights) {
      const names = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * names.reduce((sum, [, weight]) => sum + weight, 0);
      return names.find(([, weight]) => (left -= weight) < 0)?.[0] ?? names[0]![0];
    },
    uuid() {
      const text = hex() + hex() + hex() + hex();
      return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20)}`;
    },
  };
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) | 0;
}
