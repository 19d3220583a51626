import type { Ledger } from '@gatehouse/contract/ledgers';
import { isTaken } from './submission.ts';

/** How long an unconfirmed payment is watched: every 3 seconds for a minute and a half. */
const PAUSE = 3000;
const MOST_LOOKS = 30;

type Watch = {
  /** The units as they were when the payment was sent. */
  paid: Pick<Ledger, 'id' | 'balance'>[];
  listLedgers: () => Promise<Ledger[] | undefined>;
  /** Whether the tenant has left: nothing is asked any more. */
  hasLeft: () => boolean;
  wait?: (milliseconds: number) => Promise<void>;
};

/**
 * Watches the balances of an unconfirmed payment (C11): `taken` once they have changed, `open` when the end is reached
 * first. Nothing is sent again here.
 */
export async function confirmPayment({ paid, listLedgers, hasLeft, wait = pause }: Watch): Promise<'taken' | 'open'> {
  for (let look = 0; look < MOST_LOOKS && !hasLeft(); look++) {
    await wait(PAUSE);
    if (hasLeft()) return 'open';
    const ledgers = await listLedgers();
    if (ledgers && isTaken(paid, ledgers)) return 'taken';
  }
  return 'open';
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
