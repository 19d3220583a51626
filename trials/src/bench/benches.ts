/**
 * The benches of docs/benchmarks.md, each a module in this folder. `small` are the options of its
 * smallest size, in which a figure means nothing and every step is made.
 */
export const benches: Record<string, { small: string[] }> = {
  requests: {
    small: [...roundsOf(1), '--payments', '16', '--tenants', '16'],
  },
  units: { small: roundsOf(1) },
  paint: { small: ['--loads', '1', '--warm-ups', '0'] },
  lighthouse: { small: ['--runs', '1', '--page', '/billing-info'] },
  start: { small: ['--starts', '1'] },
  billing: { small: ['--ledgers', '100'] },
  reads: {
    small: ['--ledgers', '200', '--ledgers', '400', '--rounds', '1', '--seconds', '0.3'],
  },
  office: { small: ['--ledgers', '200', '--calls', '4'] },
  profile: { small: ['--seconds', '0.3', '--ledgers', '100'] },
};

/**
 * Those that `table` runs, in this order; the nightly runs and the large worlds take an hour more.
 */
export const tableBenches = ['requests', 'units', 'paint', 'lighthouse', 'start'];
export const longBenches = ['billing', 'reads'];

function roundsOf(rounds: number): string[] {
  return ['--rounds', String(rounds), '--warm-ups', '0', '--seconds', '0.3'];
}
