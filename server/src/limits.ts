/** So many times within so many seconds, counted from the first. */
export type Limit = { most: number; seconds: number };

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/**
 * What is limited, and how much by default (D20-D22, T4, T5, T17, T22). "By address" is by network address: a whole IPv4
 * one, the first 64 bits of an IPv6 one. Each number is a setting (LIMITS), for tests and for operators behind one address.
 */
export const limits = {
  'sign-ins-a-minute': { most: 20, seconds: MINUTE },
  'sign-ins-an-hour': { most: 100, seconds: HOUR },
  'lookups-a-minute': { most: 20, seconds: MINUTE },
  'lookups-an-hour': { most: 100, seconds: HOUR },
  'codes-in-ten-minutes': { most: 3, seconds: 10 * MINUTE },
  'codes-a-day': { most: 10, seconds: DAY },
  'codes-a-day-from-a-network': { most: 5, seconds: DAY },
  'code-tries-a-day': { most: 50, seconds: DAY },
  'code-tries-a-minute': { most: 60, seconds: MINUTE },
  'invitations-a-day': { most: 3, seconds: DAY },
  'requests-an-hour': { most: 5, seconds: HOUR },
  'declines-an-hour': { most: 5, seconds: HOUR },
  'declines-of-a-method-a-day': { most: 10, seconds: DAY },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
export type Limits = Record<LimitName, Limit>;

const isLimit = (name: string): name is LimitName => Object.hasOwn(limits, name);

/** Reads `name=number, …`; null where a name is none of ours or a number no whole one from 1 on. */
export function readLimits(text: string): Limits | null {
  const read: Limits = { ...limits };
  for (const one of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name = '', most = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,9})\s*$/.exec(one) ?? [];
    if (!isLimit(name) || Number(most) < 1) return null;
    read[name] = { ...limits[name], most: Number(most) };
  }
  return read;
}
