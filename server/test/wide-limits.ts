import { limits } from '#config/limits.ts';

/** The setting LIMITS for servers that tests, proofs and benches call from one address. */
export const WIDE_LIMITS = Object.keys(limits)
  .map((name) => `${name}=100000000`)
  .join(',');
