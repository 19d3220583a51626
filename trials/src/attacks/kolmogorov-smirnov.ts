/**
 * The two-sample Kolmogorov-Smirnov test: how far apart the two empirical distributions are at
 * most, and the probability of being that far apart or further if both samples came from the same
 * one (its asymptotic form, with Stephens' correction for small samples).
 */
export function kolmogorovSmirnov(a: number[], b: number[]): { distance: number; p: number } {
  const [first, second] = [a.toSorted((x, y) => x - y), b.toSorted((x, y) => x - y)];
  let [i, j, distance] = [0, 0, 0];
  while (i < first.length && j < second.length) {
    const value = Math.min(first[i]!, second[j]!);
    while (i < first.length && first[i]! <= value) i += 1;
    while (j < second.length && second[j]! <= value) j += 1;
    distance = Math.max(distance, Math.abs(i / first.length - j / second.length));
  }
  const size = Math.sqrt((first.length * second.length) / (first.length + second.length));
  return { distance, p: tail((size + 0.12 + 0.11 / size) * distance) };
}

/** Kolmogorov's distribution: the probability of more than `x`. */
function tail(x: number): number {
  // The series needs ever more terms towards 0, where its sum is 1.
  if (x < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * x * x);
  return Math.min(1, Math.max(0, sum));
}
