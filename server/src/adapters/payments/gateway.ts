import type { Ach, CreditCard } from '@gatehouse/contract/payment-methods';

/** What is charged: a new card or account, in memory only, or the gateway's token of a new or saved one. */
export type Instrument =
  | { type: 'creditCard'; card: CreditCard }
  | { type: 'ach'; account: Ach }
  | { type: 'creditCard' | 'ach'; token: string };

/** A new card or account that the gateway is asked to keep: its numbers, or the token that hosted fields made of them. */
export type NewInstrument = Instrument;

/** Who started a charge: the tenant at the screen, or the autopay run. */
export type Initiator = 'tenant' | 'autopay';

export type ChargeRequest = {
  /** Ours, unique for ever: the intent's id. The gateway charges a reference at most once (D5). */
  reference: string;
  amountCents: number;
  instrument: Instrument;
  initiator: Initiator;
  /** The tenant's number at the gateway, from createCustomer; null where the gateway keeps none. */
  customer: string | null;
};

/**
 * `isHard`: the same card or account will never work, so autopay does not try it again (D15). `message` is for the tenant.
 */
export type Declined = { outcome: 'declined'; message: string; isHard: boolean };

/** The first answer to a charge. `pending`: a bank debit was taken in and may still be returned. */
export type ChargeAnswer = { outcome: 'succeeded' } | { outcome: 'pending' } | Declined;

/** A bank debit that came back; `code` as the banks have it, such as R01. */
export type Returned = { outcome: 'returned'; code: string };

/** What has become of a charge by now. `settled`: the bank has paid; it may be returned even then. */
export type Standing = ChargeAnswer | { outcome: 'settled' } | Returned;

/** A line of the gateway's own list. */
export type Transaction = { reference: string; amountCents: number; standing: Standing['outcome']; at: Date };

/** What a tenant may be shown of a card or account, by the gateway's own word. */
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
   * The same for the same card number or bank account, whoever enters it: the gateway's own word, or a digest under a key of
   * the server's, from which the number cannot be found without the key. Null where the gateway gives none.
   */
  fingerprint: string | null;
};

/** The gateway did not answer in time or not sensibly: the charge may have happened. Never charge again to find out (D4). */
export class GatewayUnknown extends Error {
  override name = 'GatewayUnknown';
}

/** What the operator has to put right at the gateway or in the settings; `sentence` is for the operator. */
export type GatewayFault = {
  kind: 'gateway_key_refused' | 'bank_debits_off' | 'gateway_call_refused';
  sentence: string;
};

/**
 * The gateway did not take the call up, or nothing was sent: nothing was charged or kept, and nothing will be. `fault` is
 * what the operator has to put right; null for what passes by itself, such as a refused connection or too many calls.
 */
export class NotSent extends GatewayUnknown {
  override name = 'NotSent';
  readonly fault: GatewayFault | null;
  constructor(message: string, options: ErrorOptions & { fault?: GatewayFault | null } = {}) {
    super(message, options);
    this.fault = options.fault ?? null;
  }
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
  /** How often, and at least how many minutes apart in all, a reference must be unknown before it is given up (D4). */
  patience: { lookups: number; minutes: number };
  /** The least that it charges at once, in cents. */
  leastChargeCents: number;
  /**
   * Captures once for the reference; asked again with it, answers as the first time.
   * Throws NotSent where the gateway did not take the charge up, and GatewayUnknown when `signal` aborts first or the
   * answer makes no sense. A refusal after an earlier try that may have arrived is GatewayUnknown.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer>;
  /** What has become of a reference. `customer` as in the charge, `since` the instant before which it cannot have been made. */
  lookup(reference: string, where: Where): Promise<Standing | { outcome: 'notFound' }>;
  /** Makes sure that the reference is never charged if it has not been; answers what is true from now on. */
  voidReference(reference: string, where: Where): Promise<Standing | { outcome: 'voided' }>;
  /** Gives back some of a captured reference, once for the refund's own reference. */
  refund(request: { reference: string; chargeReference: string; amountCents: number; where: Where }): Promise<Refunded>;
  /** Everything that was charged or taken in from one instant to another, in the order of the references' instants. */
  listTransactions(from: Date, to: Date): AsyncIterable<Transaction>;
  /**
   * The tenant's number at the gateway, the same again for the same tenant; null where the gateway keeps none. It,
   * `describe` and `saveMethod` throw NotSent and GatewayUnknown as `charge` does.
   */
  createCustomer(tenant: { id: string; name: string; email: string }): Promise<string | null>;
  /** What a new card or account, or a token, stands for. Throws MethodDeclined for a token that is none. */
  describe(instrument: Instrument): Promise<MethodDetails>;
  /** Keeps a card or account for later charges without the tenant. Throws MethodDeclined. */
  saveMethod(instrument: NewInstrument, customer: string | null): Promise<MethodDetails>;
  /** The refunds that were asked for, here or in the gateway's own dashboard, in no particular order. */
  listRefunds(which: Selection): AsyncIterable<GatewayRefund>;
  /** The disputes of the holders of cards and accounts, as they stand now, in no particular order. */
  listDisputes(which: Selection): AsyncIterable<GatewayDispute>;
  /**
   * The payouts to the operator's bank that were made from one instant to before another and whose
   * payments the gateway can name, in no particular order. Not every gateway lists them.
   */
  listPayouts?(from: Date, to: Date): AsyncIterable<GatewayPayout>;
  /** Our reference of a charge that an event calls by the gateway's own id; null for none. Not every gateway sends events. */
  findReference?(gatewayId: string): Promise<string | null>;
};

/** What helps a gateway that cannot find a charge by its reference alone. */
export type Where = { customer: string | null; since: Date };

/** Those of one charge, or those that were made from one instant to before another. */
export type Selection = { chargeReference: string; where: Where } | { from: Date; to: Date };

/** A refund as the gateway has it, in cents. */
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
 * A dispute as the gateway has it, in cents. `inquiry`: a bank only asks, and no money has moved. `opened`: the amount was
 * taken back until the dispute is decided. `won`: it was given to us again. `lost`: it is gone.
 */
export type GatewayDispute = {
  /** The gateway's own id. */
  id: string;
  /** As in a refund. */
  chargeReference: string | null;
  amountCents: number;
  standing: 'inquiry' | 'opened' | 'won' | 'lost';
  /** Until when evidence is taken; null where none is. */
  evidenceDueAt: Date | null;
  at: Date;
};

/** A payout as the gateway has it. */
export type GatewayPayout = {
  /** The gateway's own id. */
  id: string;
  /** `YYYY-MM-DD` of the gateway's calendar, when the bank has it or is to have it. */
  arrivesOn: string;
  /** `failed`: the bank did not take it; the gateway pays the money out again by another one. */
  standing: 'underWay' | 'paid' | 'failed';
  /** Our references of the charges that it pays out; they are read from the gateway only when they are asked for. */
  references: () => AsyncIterable<string>;
};

export type Refunded = { outcome: 'succeeded' } | { outcome: 'failed'; message: string };
