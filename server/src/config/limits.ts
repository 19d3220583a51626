/** A number of times within a window of seconds that starts with the first. */
export type Limit = { most: number; seconds: number };

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/**
 * The rate limits with their defaults. Sign-ins, lookups, tries of codes and calls of pay links are
 * counted by network (`networksOf`), codes by account, mails by tenant, recipient and the member of
 * staff who causes them. Each number is a setting (LIMITS), for tests and for operators behind one
 * address.
 */
export const limits = {
  'sign-ins-a-minute': { most: 20, seconds: MINUTE },
  'sign-ins-an-hour': { most: 100, seconds: HOUR },
  'passkeys-an-hour': { most: 10, seconds: HOUR },
  'tenant-passkeys-a-minute': { most: 20, seconds: MINUTE },
  'staff-passkeys-a-minute': { most: 20, seconds: MINUTE },
  'staff-code-tries-an-hour': { most: 20, seconds: HOUR },
  'lookups-a-minute': { most: 20, seconds: MINUTE },
  'lookups-an-hour': { most: 100, seconds: HOUR },
  'codes-in-ten-minutes': { most: 3, seconds: 10 * MINUTE },
  'codes-an-hour': { most: 5, seconds: HOUR },
  'codes-an-hour-from-a-network': { most: 2, seconds: HOUR },
  'code-tries-a-minute': { most: 60, seconds: MINUTE },
  'invitations-a-day': { most: 3, seconds: DAY },
  'requests-an-hour': { most: 5, seconds: HOUR },
  'calendar-feeds-an-hour': { most: 10, seconds: HOUR },
  'calendar-reads-an-hour': { most: 60, seconds: HOUR },
  'photos-an-hour': { most: 20, seconds: HOUR },
  'vehicle-papers-an-hour': { most: 20, seconds: HOUR },
  'content-changes-an-hour': { most: 30, seconds: HOUR },
  'pay-link-calls-a-minute': { most: 30, seconds: MINUTE },
  'pay-link-calls-an-hour': { most: 200, seconds: HOUR },
  'signing-calls-a-minute': { most: 30, seconds: MINUTE },
  'signing-calls-an-hour': { most: 300, seconds: HOUR },
  'stop-link-calls-a-minute': { most: 60, seconds: MINUTE },
  'stop-link-calls-an-hour': { most: 600, seconds: HOUR },
  'text-answers-an-hour': { most: 3, seconds: HOUR },
  'declines-an-hour': { most: 5, seconds: HOUR },
  'declines-of-a-pay-link-an-hour': { most: 5, seconds: HOUR },
  'declines-of-pay-links-an-hour': { most: 10, seconds: HOUR },
  'declines-of-a-method-a-day': { most: 10, seconds: DAY },
  'mails-alike-in-ten-minutes': { most: 1, seconds: 10 * MINUTE },
  'mails-of-a-tenant-an-hour': { most: 20, seconds: HOUR },
  'mails-of-a-tenant-a-day': { most: 60, seconds: DAY },
  'mails-to-an-address-an-hour': { most: 20, seconds: HOUR },
  'mails-to-an-address-a-day': { most: 60, seconds: DAY },
  'mails-by-tenants-an-hour': { most: 2000, seconds: HOUR },
  'staff-mails-to-strangers-an-hour': { most: 20, seconds: HOUR },
  'staff-mails-to-strangers-a-day': { most: 60, seconds: DAY },
  'staff-mails-to-a-stranger-a-day': { most: 5, seconds: DAY },
  'receipt-mails-a-day': { most: 40, seconds: DAY },
  'not-on-file-mails-to-an-address-a-day': { most: 3, seconds: DAY },
  'not-on-file-mails-an-hour': { most: 500, seconds: HOUR },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
export type Limits = Record<LimitName, Limit>;

const isLimit = (name: string): name is LimitName => Object.hasOwn(limits, name);

/** Parses `name=number, …`; null for an unknown name, or a number that is not an integer from 1. */
export function readLimits(text: string): Limits | null {
  const read: Limits = { ...limits };
  for (const one of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name = '', most = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,9})\s*$/.exec(one) ?? [];
    if (!isLimit(name) || Number(most) < 1) return null;
    read[name] = { ...limits[name], most: Number(most) };
  }
  return read;
}
