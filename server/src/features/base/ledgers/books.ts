import { randomUUID } from 'node:crypto';
import type { ChargeCategory, PaymentOrder, ReversalReason } from '#db/tables.ts';
import { allocate, type OpenCharge } from './allocation.ts';
import { firstDue, paidThrough, unwaivedCents, waivedTax } from './rules.ts';

/** A payment or credit of which something has settled no charge yet, in cents. */
export type OpenCredit = { id: string; position: number; leftCents: number };

/**
 * What a ledger owes and what it has to its credit, as one reading found it. `version` counts its
 * postings: what is computed from these books is written to the same version only. Credits are used
 * at once, so there are open charges or open credits, never both.
 */
export type Books = {
  ledgerId: string;
  version: number;
  balanceCents: number;
  /** The last day that has been billed. */
  billedThrough: string;
  paymentOrder: PaymentOrder;
  charges: OpenCharge[];
  credits: OpenCredit[];
  /**
   * The position of the next new entry, in books that a posting has left; none in books as they
   * were read.
   */
  nextPosition?: number;
};

/**
 * A charge to post, in cents; `periodEnd` is the last day of the period that it is billed for,
 * `lateFor` the rent charge that a late fee is for.
 */
export type NewCharge = {
  kind: 'charge';
  id: string;
  category: ChargeCategory;
  description: string;
  dueOn: string;
  periodEnd: string | null;
  priceCents: number;
  discountCents: number;
  tax1Cents: number;
  tax2Cents: number;
  lateFor: string | null;
  /** Of what went back of a payment or credit that had less left. */
  again?: { paymentId: string; reason: OwedAgainReason; description: string };
};

/** Why money goes back of a payment or credit that may have less left. */
export type OwedAgainReason = Exclude<ReversalReason, 'moved' | 'correction'>;

/** A captured payment; what it has beyond the debt stays as a credit. */
export type NewPayment = {
  kind: 'payment';
  id: string;
  cents: number;
  intentId: string;
  description: string;
  receiptNumber: string;
  /** Charges up to this position are settled before any other; null for no such limit. */
  throughPosition?: number | null;
};

/** A credit of the tenant that is no payment. */
export type NewCredit = {
  kind: 'credit';
  id: string;
  cents: number;
  description: string;
  /** The reversal that took it from another ledger. */
  movedBy?: string;
};

/**
 * A posted charge as it is, in cents: what of it may still be waived, its taxes, what was waived of
 * it before, and which payments and credits settle it, the first first: one that settles nothing of
 * it any more keeps its place. Waivers of it are not among those.
 */
export type PostedCharge = Omit<OpenCharge, 'owedCents'> & {
  totalCents: number;
  tax1Cents: number;
  tax2Cents: number;
  waived: { cents: number; tax1Cents: number; tax2Cents: number };
  settledBy: { creditId: string; position: number; cents: number }[];
};

/** A posted charge with its text, the period that it was billed for, and the rent of a late fee. */
export type DescribedCharge = PostedCharge & {
  description: string;
  periodEnd: string | null;
  lateFor: string | null;
};

/**
 * Takes back a charge, wholly or in part: a credit that settles this charge only. A payment that
 * had settled it becomes an open credit again. `tax1Cents` and `tax2Cents` are the part of `cents`
 * that is tax (`waivedTax`).
 */
export type NewWaiver = {
  kind: 'waiver';
  id: string;
  charge: PostedCharge;
  cents: number;
  tax1Cents: number;
  tax2Cents: number;
  description: string;
  /** What the tenant will not pay: bad debt. */
  isWriteOff?: true;
  /** What another tenant is charged instead. */
  isAssigned?: true;
};

/**
 * A posted payment as it is: what of it is still there, and what it settles, in the order in which
 * it did.
 */
export type PostedPayment = {
  id: string;
  /** Less what was taken back before. */
  leftCents: number;
  settled: (Omit<OpenCharge, 'owedCents'> & { cents: number })[];
};

/** Takes back a payment, wholly or in part: never more than is left of it. */
export type NewReversal = {
  kind: 'reversal';
  id: string;
  payment: PostedPayment;
  cents: number;
  reason: ReversalReason;
  description: string;
  /** From when on what it opens again is enforced (`owedAgainOn`); null or missing: at once. */
  owedOn?: string | null;
};

export type Change = NewCharge | NewPayment | NewCredit | NewWaiver | NewReversal;

/**
 * What one allocation row says; below 0 where the entry `reversalId`, a reversal or a waiver, takes
 * it back. `changeId` is the change that led to it.
 */
export type PostedAllocation = {
  creditId: string;
  chargeId: string;
  cents: number;
  reversalId: string | null;
  changeId: string;
};

/** All that changes write to one ledger, and its state afterwards. */
export type Posting = {
  ledgerId: string;
  /** The version of the books that this was computed from. */
  version: number;
  versionAfter: number;
  changes: Change[];
  allocations: PostedAllocation[];
  balanceCents: number;
  /** The due date of the first charge that something is owed of; null where nothing is. */
  owedSince: string | null;
  paidThrough: string;
  billedThrough: string;
};

/** What a change adds to the balance, in cents: below 0 in the tenant's favour. */
export function entryCents(change: Change): number {
  switch (change.kind) {
    case 'charge':
      return change.priceCents - change.discountCents + change.tax1Cents + change.tax2Cents;
    case 'reversal':
      return change.cents;
    case 'payment':
    case 'credit':
    case 'waiver':
      return -change.cents;
  }
}

/**
 * Computes what changes, in their order, do to a ledger's books (I1): charges are settled from
 * credits first, a payment settles charges in the facility's order, a reversal opens again exactly
 * what its payment had settled, the last first, and a waiver settles the charge that it names.
 * Answers the rows to write and the books afterwards. Throws for a reversal or waiver of more than
 * is left.
 */
export function post(
  books: Books,
  changes: Change[],
  billedThrough = books.billedThrough,
): { posting: Posting; after: Books } {
  const work: Work = {
    charges: books.charges.map((charge) => ({ ...charge })),
    credits: books.credits.map((credit) => ({ ...credit })),
    allocations: [],
    order: books.paymentOrder,
    nextPosition: nextPosition(books),
    changeId: '',
  };
  for (const change of changes) apply(work, change);
  useCredits(work);
  const charges = work.charges.filter(({ owedCents }) => owedCents > 0);
  const credits = work.credits.filter(({ leftCents }) => leftCents > 0);
  const balanceCents = changes.reduce(
    (cents, change) => cents + entryCents(change),
    books.balanceCents,
  );
  const openRent = charges.filter(({ category }) => category === 'rent');
  const posting = {
    ledgerId: books.ledgerId,
    version: books.version,
    versionAfter: books.version + 1,
    changes,
    allocations: work.allocations,
    balanceCents,
    owedSince: firstDue(charges),
    paidThrough: paidThrough(openRent, billedThrough),
    billedThrough,
  };
  const { versionAfter: version } = posting;
  const after = {
    ...books,
    version,
    balanceCents,
    billedThrough,
    charges,
    credits,
    nextPosition: work.nextPosition,
  };
  return { posting, after };
}

/** Beyond every position that the database has given. */
const NOT_WRITTEN = 2 ** 52;

/**
 * The position that the first new entry of a posting to these books gets: after all that are
 * written.
 */
export function nextPosition(books: Books): number {
  return books.nextPosition ?? NOT_WRITTEN;
}

/**
 * Postings of one ledger, each computed from the books that the one before left, as one that is
 * written at once.
 */
export function joinPostings(postings: [Posting, ...Posting[]]): Posting {
  const changes = postings.flatMap((posting) => posting.changes);
  const allocations = postings.flatMap((posting) => posting.allocations);
  return { ...postings.at(-1)!, version: postings[0].version, changes, allocations };
}

type Work = {
  charges: OpenCharge[];
  credits: OpenCredit[];
  allocations: PostedAllocation[];
  order: PaymentOrder;
  /** Entries that are not written yet come after all that are. */
  nextPosition: number;
  /** The change that is being applied. */
  changeId: string;
};

function apply(work: Work, change: Change): void {
  const position = work.nextPosition++;
  work.changeId = change.id;
  switch (change.kind) {
    case 'charge': {
      const { id, category, dueOn } = change;
      work.charges.push({ id, category, dueOn, position, owedCents: entryCents(change) });
      return;
    }
    case 'payment':
    case 'credit':
      work.credits.push({ id: change.id, position, leftCents: change.cents });
      if (change.kind === 'payment' && change.throughPosition != null)
        useCredits(work, change.throughPosition);
      // At once: a charge that comes later in the same posting must find what this one left.
      useCredits(work);
      return;
    case 'waiver':
      waive(work, change);
      return;
    case 'reversal':
      takeBack(work, change);
  }
}

/** Settles open charges, up to a position, from open credits, the oldest credit first. */
function useCredits(work: Work, throughPosition = Infinity): void {
  for (const credit of work.credits.toSorted((a, b) => a.position - b.position)) {
    const charges = work.charges.filter(({ position }) => position <= throughPosition);
    for (const { chargeId, cents } of allocate(charges, credit.leftCents, work.order)) {
      work.charges.find(({ id }) => id === chargeId)!.owedCents -= cents;
      credit.leftCents -= cents;
      settle(work, { creditId: credit.id, chargeId, cents, reversalId: null });
    }
  }
}

function settle(work: Work, allocation: Omit<PostedAllocation, 'changeId'>): void {
  work.allocations.push({ ...allocation, changeId: work.changeId });
}

/** What the payment settles nothing with goes first, then what it settled last. */
function takeBack(work: Work, { id, payment, cents, reason, owedOn }: NewReversal): void {
  if (cents <= 0 || cents > payment.leftCents)
    throw new Error(
      `a ${reason} of ${cents} cents is not within the ${payment.leftCents} that are left of the payment`,
    );
  const credit = work.credits.find((open) => open.id === payment.id);
  const unused = Math.min(cents, credit?.leftCents ?? 0);
  if (credit !== undefined) credit.leftCents -= unused;
  let rest = cents - unused;
  for (const { cents: settled, ...charge } of payment.settled.toReversed()) {
    const back = Math.min(rest, settled);
    if (back === 0) continue;
    rest -= back;
    let open = work.charges.find((other) => other.id === charge.id);
    if (open === undefined) work.charges.push((open = { ...charge, owedCents: 0 }));
    open.owedCents += back;
    if (owedOn != null) open.reopened = { cents: (open.reopened?.cents ?? 0) + back, on: owedOn };
    settle(work, { creditId: payment.id, chargeId: charge.id, cents: -back, reversalId: id });
  }
  if (rest > 0) throw new Error(`the payment ${payment.id} settles less than is left of it`);
}

/**
 * Settles what is owed of the charge; for the rest, what settled it last becomes an open credit
 * first.
 */
function waive(work: Work, { id, charge, cents }: NewWaiver): void {
  const { totalCents, waived, settledBy, tax1Cents: _, tax2Cents: __, ...terms } = charge;
  const leftCents = unwaivedCents({ totalCents, waived });
  if (cents <= 0 || cents > leftCents)
    throw new Error(
      `a waiver of ${cents} cents is not within the ${leftCents} that are left of the charge`,
    );
  let open = work.charges.find((other) => other.id === charge.id);
  if (open === undefined) work.charges.push((open = { ...terms, owedCents: 0 }));
  let missing = cents - open.owedCents;
  for (const { creditId, position, cents: settled } of settledNow(
    work,
    charge.id,
    settledBy,
  ).toReversed()) {
    const back = Math.min(missing, settled);
    if (back <= 0) continue;
    missing -= back;
    open.owedCents += back;
    const credit = work.credits.find((other) => other.id === creditId);
    if (credit === undefined) work.credits.push({ id: creditId, position, leftCents: back });
    else credit.leftCents += back;
    settle(work, { creditId, chargeId: charge.id, cents: -back, reversalId: id });
  }
  if (missing > 0) throw new Error(`the charge ${charge.id} is settled by less than it should be`);
  open.owedCents -= cents;
  settle(work, { creditId: id, chargeId: charge.id, cents, reversalId: null });
  useCredits(work);
}

/** What settles a charge, with what the changes of this posting have added and taken back. */
function settledNow(
  work: Work,
  chargeId: string,
  settledBy: PostedCharge['settledBy'],
): PostedCharge['settledBy'] {
  const now = settledBy.map((one) => ({ ...one }));
  for (const { creditId, cents } of work.allocations.filter((one) => one.chargeId === chargeId)) {
    const known = now.find((one) => one.creditId === creditId);
    const credit = work.credits.find((one) => one.id === creditId);
    if (known !== undefined) known.cents += cents;
    // A waiver of this posting is no open credit and settles for good.
    else if (credit !== undefined) now.push({ creditId, position: credit.position, cents });
  }
  return now;
}

/** A waiver of `cents` of a charge, with the charge's tax in proportion. */
export function waiverOf(charge: PostedCharge, cents: number, description: string): NewWaiver {
  const taxes = waivedTax(charge, cents);
  return { kind: 'waiver', id: randomUUID(), charge, cents, ...taxes, description };
}

/** The waiver of all that is left of a charge, such as a late fee whose cause is gone. */
export function waiverOfRest(charge: PostedCharge & { description: string }): NewWaiver {
  return waiverOf(charge, unwaivedCents(charge), `Waived: ${charge.description}`);
}
