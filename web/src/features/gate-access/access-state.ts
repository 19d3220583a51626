import {
  CALL_FACILITY_DAYS,
  type GateAccess,
  lockedOutAdvice,
  payToOpenAdvice,
} from '@gatehouse/contract/gate-access';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';

/**
 * What a rental's gate is to its tenant: open with a code, `hidden` until a passkey confirms that
 * it may be shown, `waiting` for a bank payment to settle, locked until something is paid,
 * `overlocked` by staff whatever is paid, or `none` without a code for another reason.
 */
export type AccessState = 'open' | 'hidden' | 'waiting' | 'locked' | 'overlocked' | 'none';

export function accessState(
  { accessCode, needsConfirm, isOverlocked, waitsForSettlement }: GateAccess,
  { balance }: Pick<Ledger, 'balance'>,
): AccessState {
  if (accessCode !== undefined) return 'open';
  if (needsConfirm) return 'hidden';
  if (waitsForSettlement) return 'waiting';
  if (isOverlocked) return 'overlocked';
  return balance > 0 ? 'locked' : 'none';
}

/**
 * What a locked-out tenant reads next to the balance: the specification's sentence, and
 * with the one that says to call also what paying does, because a Pay button is there too.
 */
export function lockedOutWords(
  { balance, daysPastDue }: Pick<Ledger, 'balance' | 'daysPastDue'>,
  { isOverlocked = false, opensFor = balance }: Pick<GateAccess, 'isOverlocked' | 'opensFor'>,
): string {
  const advice = lockedOutAdvice(daysPastDue, isOverlocked);
  return isOverlocked || daysPastDue < CALL_FACILITY_DAYS
    ? advice
    : `${advice} ${payToOpenAdvice(daysPastDue, formatMoney(opensFor))}`;
}
