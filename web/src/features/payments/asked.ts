import type { Ledger } from '@gatehouse/contract/ledgers';
import type { ComponentType } from 'react';
import type { Paid } from './payment-flow.ts';

/**
 * What a payment dialog is asked for: `pay` what a rental owes, or with `all` every one that does,
 * or set `autopay` of a rental up or update it.
 */
export type Asked = { kind: 'pay' | 'autopay'; ledgerId: string };

/** In place of a rental's id. */
export const ALL = 'all';

/**
 * What an address asks for: `?ledger=ID` and `?ledger=all` to pay, `?autopay=ID` for autopay. With
 * `&of=ID` it is all of that rental's record.
 */
export function askedIn(search: string): Asked | null {
  const asked = new URLSearchParams(search);
  const [pay, autopay] = [asked.get('ledger'), asked.get('autopay')];
  if (pay !== null) return { kind: 'pay', ledgerId: pay };
  return autopay === null ? null : { kind: 'autopay', ledgerId: autopay };
}

export type PayDialogProps = {
  asked: Asked;
  tenantId: string;
  /** Every rental of the tenant record. */
  ledgers: Ledger[];
  /**
   * The gate code of a rental, which a success shows; another feature's, so the screen brings it.
   * Missing where the page has it.
   */
  GateAccess?: ComponentType<{ ledger: Ledger }>;
  onClose: () => void;
  /** Where the page itself says what was paid: the dialog closes with it. */
  onPaid?: (paid: Paid, isAutopaySaved: boolean) => void;
  /** The ids of the rentals whose payment has no answer yet; none once it is refused. */
  onConfirming?: (ledgerIds: string[]) => void;
};
