import type { Ach, CreditCard } from '@gatehouse/contract/payment-methods';

/** What is charged: a new card or account, in memory only, or the gateway's token of a saved one. */
export type Instrument =
  | { type: 'creditCard'; card: CreditCard }
  | { type: 'ach'; account: Ach }
  | { type: 'creditCard' | 'ach'; token: string };

/** A new card or account that the gateway is asked to keep. */
export type NewInstrument = Exclude<Instrument, { token: string }>;

/** Who started a charge: the tenant at the screen, or the autopay run. */
export type Initiator = 'tenant' | 'autopay';

export type ChargeRequest = {
  /** Ours, unique for ever: the intent's id. The gateway charges a reference at most once (D5). */
  reference: string;
  amountCents: number;
  instrument: Instrument;
  initiator: Initiator;
};

/** `pending`: a bank debit was taken in and may still be returned. `message` of a decline is for the tenant. */
export type ChargeAnswer = { outcome: 'succeeded' } | { outcome: 'pending' } | { outcome: 'declined'; message: string };

/** The gateway did not answer in time or not sensibly: the charge may have happened. Never charge again to find out (D4). */
export class GatewayUnknown extends Error {
  override name = 'GatewayUnknown';
}

/** The gateway will not keep this card or account; `message` is for the tenant. */
export class MethodDeclined extends Error {
  override name = 'MethodDeclined';
}

/**
 * A payment gateway. Every implementation passes gateway.contract.ts.
 * Nothing here may be called while a transaction is open (D2).
 */
export type PaymentGateway = {
  /**
   * Captures once for the reference; asked again with it, answers as the first time.
   * Throws GatewayUnknown when `signal` aborts first or the answer makes no sense.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer>;
  /** What became of a reference. */
  lookup(reference: string): Promise<ChargeAnswer | { outcome: 'notFound' }>;
  /** Makes sure that the reference is never charged if it has not been; answers what is true from now on. */
  voidReference(reference: string): Promise<ChargeAnswer | { outcome: 'voided' }>;
  /** Keeps a card or account for later and answers its token. Throws MethodDeclined. */
  saveMethod(instrument: NewInstrument): Promise<{ token: string }>;
};
