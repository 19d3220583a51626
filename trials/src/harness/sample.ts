import type { Random } from './random.ts';

/** `count` different ones of a list, in any order. */
export function sampleOf<T>(random: Random, list: readonly T[], count: number): T[] {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, list.length) },
    () => rest.splice(random.between(0, rest.length - 1), 1)[0]!,
  );
}

/** All of a list, in any order. */
export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return sampleOf(random, list, list.length);
}
