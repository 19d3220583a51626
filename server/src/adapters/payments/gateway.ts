import type { Ach, CreditCard } from '@gatehouse/contract/payment-methods';

/**
 * What is charged: a new card or account, in memory only, or the gateway's token of a new or saved
 * one. `isKept`: the tenant agrees that a charge keeps a new one for autopay.
 */
export type Instrument =
  | { type: 'creditCard'; card: CreditCard }
  | { type: 'ach'; account: Ach }
  | { type: 'creditCard' | 'ach'; token: string; isKept?: boolean };

/** A new card or account to save: its numbers, or the token of hosted fields. */
export type NewInstrument = Instrument;

/** Who started a charge: the tenant at the screen, or the autopay run. */
export type Initiator = 'tenant' | 'autopay';

export type ChargeRequest = {
  /** The intent's id, unique for ever. The gateway charges a reference at most once. */
  reference: string;
  amountCents: number;
  instrument: Instrument;
  initiator: Initiator;
  /**
   * The tenant's customer id at the gateway, from createCustomer; null where the gateway has no
   * customers.
   */
  customer: string | null;
};

/**
 * `isHard`: the same card or account will never work, so autopay does not try it again. `message`
 * is for the tenant, in English.
 */
export type Declined = { outcome: 'declined'; message: string; isHard: boolean };

/** The first answer to a charge. `pending`: a bank debit was accepted and may still be returned. */
export type ChargeAnswer = { outcome: 'succeeded' } | { outcome: 'pending' } | Declined;

/** A bank debit that came back; `code` as the banks have it, such as R01. */
export type Returned = { outcome: 'returned'; code: string };

/** The current state of a charge. `settled`: the bank has paid; the debit may still be returned. */
export type Standing = ChargeAnswer | { outcome: 'settled' } | Returned;

/** One charge in the gateway's own list. */
export type Transaction = {
  reference: string;
  amountCents: number;
  standing: Standing['outcome'];
  at: Date;
};

/** The details of a card or account that a tenant may see, as the gateway reports them. */
export type MethodDetails = {
  token: string;
  brand: string;
  lastFour: string;
  funding: 'credit' | 'debit' | 'prepaid' | 'unknown';
  /** `YYYY-MM` of a card. */
  expiresOn: string | null;
  routingLastFour: string | null;
  holderName: string | null;
  postalCode: string | null;
  /**
   * Equal for the same card number or bank account, in whatever record it is saved: the gateway's
   * value, or a digest under a key of the server, from which the number cannot be found without the
   * key. Null where the gateway has none.
   */
  fingerprint: string | null;
};

/** No valid answer came in time: the charge may have happened. Never charge again to find out. */
export class GatewayUnknown extends Error {
  override name = 'GatewayUnknown';
}

/**
 * A fault that the operator has to fix at the gateway or in the settings; `sentence` is for the
 * operator.
 */
export type GatewayFault = {
  kind: 'gateway_key_refused' | 'bank_debits_off' | 'gateway_call_refused';
  sentence: string;
};

/**
 * The call was not sent or the gateway rejected it without processing: nothing was charged or
 * saved, and nothing will be. `fault` is what the operator has to fix; null for a temporary
 * failure, such as a refused connection or too many calls.
 */
export class NotSent extends GatewayUnknown {
  override name = 'NotSent';
  readonly fault: GatewayFault | null;
  constructor(message: string, options: ErrorOptions & { fault?: GatewayFault | null } = {}) {
    super(message, options);
    this.fault = options.fault ?? null;
  }
}

/** The gateway refuses to save this card or account; `message` is for the tenant, in English. */
export class MethodDeclined extends Error {
  override name = 'MethodDeclined';
}

/**
 * A payment gateway. Every implementation passes gateway.contract.ts. Nothing here may be called
 * while a transaction is open.
 */
export type PaymentGateway = {
  /**
   * The number of look-ups, and the least number of minutes that they span, after which an unknown
   * reference is given up.
   */
  patience: { lookups: number; minutes: number };
  /** The smallest charge, in cents. */
  leastChargeCents: number;
  /** How many business days a bank debit usually takes to settle. */
  debitBusinessDays: number;
  /**
   * Captures once for the reference; a repeat returns the first answer. Throws NotSent where the
   * gateway rejected the call without processing, and GatewayUnknown when `signal` aborts first or
   * the answer is invalid. A refusal after an earlier try that may have arrived is GatewayUnknown.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer>;
  /**
   * The state of a reference. `customer` as in the charge; `since` is the earliest time at which it
   * can have been made.
   */
  lookup(reference: string, where: Where): Promise<Standing | { outcome: 'notFound' }>;
  /** Ensures that a reference that was not charged never will be; returns its final state. */
  voidReference(reference: string, where: Where): Promise<Standing | { outcome: 'voided' }>;
  /** Refunds a part or all of a captured reference, once for the refund's own reference. */
  refund(request: {
    reference: string;
    chargeReference: string;
    amountCents: number;
    where: Where;
  }): Promise<Refunded>;
  /**
   * Every charge and pending debit between two instants, ordered by the instants of the references.
   */
  listTransactions(from: Date, to: Date): AsyncIterable<Transaction>;
  /**
   * Returns the tenant's customer id at the gateway, the same for the same tenant; null where the
   * gateway has no customers. It, `describe` and `saveMethod` throw NotSent and GatewayUnknown as
   * `charge` does.
   */
  createCustomer(tenant: { id: string; name: string; email: string }): Promise<string | null>;
  /**
   * The details of a new card or account, or of a token. Throws MethodDeclined for an invalid
   * token.
   */
  describe(instrument: Instrument): Promise<MethodDetails>;
  /** Saves a card or account for later charges without the tenant. Throws MethodDeclined. */
  saveMethod(instrument: NewInstrument, customer: string | null): Promise<MethodDetails>;
  /**
   * The refunds made through this interface or in the gateway's dashboard, in no particular order.
   */
  listRefunds(which: Selection): AsyncIterable<GatewayRefund>;
  /** The disputes of cards and accounts in their current state, in no particular order. */
  listDisputes(which: Selection): AsyncIterable<GatewayDispute>;
  /**
   * The payouts to the operator's bank that were made from one instant to before another and whose
   * payments the gateway can name, in no particular order. Not every gateway lists them.
   */
  listPayouts?(from: Date, to: Date): AsyncIterable<GatewayPayout>;
  /**
   * The reference of a charge that an event names by the gateway's own id; null for none. Not every
   * gateway sends events.
   */
  findReference?(gatewayId: string): Promise<string | null>;
};

/** Narrows the search of a gateway that cannot find a charge by its reference only. */
export type Where = { customer: string | null; since: Date };

/** Of one charge, or made from one instant to before another. */
export type Selection = { chargeReference: string; where: Where } | { from: Date; to: Date };

/** A refund at the gateway, in cents. */
export type GatewayRefund = {
  /** The gateway's own id. */
  id: string;
  /** Ours, as in the request; null for a refund that was not requested through this interface. */
  reference: string | null;
  /** Our reference of the charge; null for a charge that was not made through this interface. */
  chargeReference: string | null;
  amountCents: number;
  /** `failed`: the money is not given back; a refund may fail days after it succeeded. */
  outcome: Refunded['outcome'];
  at: Date;
};

/**
 * A dispute at the gateway, in cents. `inquiry`: the bank asks, and no money has moved. `opened`:
 * the amount is withheld until the decision. `won`: it was paid back to us. `lost`: it was not.
 */
export type GatewayDispute = {
  /** The gateway's own id. */
  id: string;
  /** As in a refund. */
  chargeReference: string | null;
  amountCents: number;
  standing: 'inquiry' | 'opened' | 'won' | 'lost';
  /** The deadline for evidence; null where there is none. */
  evidenceDueAt: Date | null;
  at: Date;
};

/** A payout at the gateway. */
export type GatewayPayout = {
  /** The gateway's own id. */
  id: string;
  /** `YYYY-MM-DD` in the gateway's calendar: the actual or expected day of arrival. */
  arrivesOn: string;
  /** `failed`: the bank rejected it; the gateway makes another payout of the money. */
  standing: 'underWay' | 'paid' | 'failed';
  /** The references of the charges in the payout, read from the gateway on demand. */
  references: () => AsyncIterable<string>;
};

export type Refunded = { outcome: 'succeeded' } | { outcome: 'failed'; message: string };
