/** What the simulator does to the charge of a reference when it first comes (R10). */
export const faults = [
  /** Never charges and never answers. */
  'timeout before charge',
  /** Charges and never answers. */
  'timeout after charge',
  /** Answers 500 and has not charged. */
  'error before charge',
  /** Answers 429 and has not charged. */
  'refused before charge',
  /** Charges and answers 500. */
  'error after charge',
  /** Charges and ends the connection in the middle of its answer. */
  'reset mid-answer',
  /** Charges and answers what is no JSON. */
  'garbage answer',
  /** Charges and answers long after every caller stopped waiting. */
  'slow',
  /**
   * Charges, and answers that the reference is a duplicate: a copy of the request was faster.
   */
  'duplicate reference',
  /**
   * Charges without an answer, does not find the reference at the first look-up, and finds it from
   * then on.
   */
  'not found, then found',
  /**
   * Charges, notifies the harness, and never answers: the moment between accept and answer (R2).
   */
  'held',
] as const;
export type Fault = (typeof faults)[number];

/** A line of the simulator's journal: what happened to money, in the order in which it did. */
export type JournalLine =
  | {
      kind: 'charge';
      reference: string;
      amountCents: number;
      outcome: 'captured' | 'accepted' | 'declined';
      initiator: string;
      lastFour: string;
      fault: Fault | null;
      at: string;
    }
  /** A charge that was not made, because its reference was voided before. */
  | { kind: 'refused'; reference: string; at: string }
  /** A charge that was asked for again: nothing moved. */
  | { kind: 'repeated'; reference: string; at: string }
  | { kind: 'voided'; reference: string; at: string }
  | { kind: 'settled'; reference: string; at: string }
  | { kind: 'returned'; reference: string; code: string; at: string }
  | { kind: 'refund'; reference: string; chargeReference: string; amountCents: number; at: string }
  /** A refund in the gateway's own dashboard. */
  | { kind: 'outside refund'; id: string; chargeReference: string; amountCents: number; at: string }
  | { kind: 'failed refund'; id: string; at: string }
  | {
      kind: 'dispute';
      id: string;
      chargeReference: string;
      amountCents: number;
      isInquiry: boolean;
      at: string;
    }
  | { kind: 'decided'; id: string; standing: 'won' | 'lost'; at: string };

export type ChargeLine = Extract<JournalLine, { kind: 'charge' }>;

/** Messages of the simulator to its parent process. */
export type SimulatorMessage = { port: number } | { held: string; amountCents: number };

/**
 * How a simulator is started. `latencyMs`: a charge takes up to this long before and after the
 * money moves.
 */
export type SimulatorOrder = { journal: string; latencyMs: number; slowMs: number };
