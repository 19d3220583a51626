import { randomUUID } from 'node:crypto';
import {
  joinPostings,
  post,
  waiverOf,
  type Books,
  type Change,
  type DescribedCharge,
  type NewCharge,
  type NewCredit,
  type NewReversal,
  type NewWaiver,
  type OpenCredit,
  type PostedPayment,
  type Posting,
} from '#features/base/ledgers/books.ts';
import { firstDue, unwaivedCents } from '#features/base/ledgers/rules.ts';

/** A charge that another tenant has instead, and what of it, in cents; `isWhole` with all paid. */
export type Assigned = { charge: DescribedCharge; cents: number; isWhole: boolean };

/**
 * The charges of a rental that go to another tenant on `today`: deposits and what was billed for
 * days from then on, wholly, and what is owed of all others. What is whole and paid comes first,
 * so that what paid it settles it again.
 */
export function chargesToAssign(
  charges: DescribedCharge[],
  open: Books['charges'],
  today: string,
): Assigned[] {
  const owedOf = ({ id }: DescribedCharge) => open.find((one) => one.id === id)?.owedCents ?? 0;
  const all = charges.flatMap((charge): Assigned[] => {
    const { category, dueOn, periodEnd } = charge;
    const isWhole = category === 'deposit' || dueOn > today || (periodEnd ?? '') >= today;
    const cents = isWhole ? unwaivedCents(charge) : owedOf(charge);
    return cents > 0 ? [{ charge, cents, isWhole }] : [];
  });
  const rank = ({ charge, isWhole }: Assigned) => (!isWhole ? 2 : owedOf(charge) > 0 ? 1 : 0);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** The waivers of them on the ledger that they leave: what is only owed first. */
export function waiversOf(assigned: Assigned[]): NewWaiver[] {
  return assigned.toReversed().map(({ charge, cents }) => ({
    ...waiverOf(charge, cents, `Not rented any more: ${charge.description}`),
    isAssigned: true as const,
  }));
}

/** What of a payment or credit goes along, and the charge that it settles; null for none. */
type Piece = { creditId: string; cents: number; chargeId: string | null };

function piecesOf(assigned: Assigned[], credits: OpenCredit[]): Piece[] {
  const left = new Map(credits.map(({ id, leftCents }) => [id, leftCents]));
  const settling = assigned.flatMap(({ charge, isWhole }) =>
    (isWhole ? charge.settledBy : []).flatMap(({ creditId, cents }): Piece[] => {
      const part = Math.min(cents, left.get(creditId) ?? 0);
      if (part <= 0) return [];
      left.set(creditId, left.get(creditId)! - part);
      return [{ creditId, cents: part, chargeId: charge.id }];
    }),
  );
  const open = [...left].filter(([, cents]) => cents > 0);
  return [...settling, ...open.map(([creditId, cents]) => ({ creditId, cents, chargeId: null }))];
}

type Given = {
  charges: DescribedCharge[];
  assigned: Assigned[];
  /** As `post` left them with the waivers. */
  released: { posting: Posting; after: Books };
  waivers: NewWaiver[];
  /** The payments and credits that are open then. */
  payments: PostedPayment[];
  /** Of the new ledger. */
  to: Books;
};

/**
 * The postings by which a ledger ends at 0 and another has what it owed and had, the same sums of
 * each category on the same day: the charges are waived and charged again, and what had paid them
 * is moved.
 */
export function assignBooks(given: Given): { from: Posting; to: Posting } {
  const { assigned, released, payments } = given;
  const pieces = piecesOf(assigned, released.after.credits).map((piece) => {
    const payment = payments.find(({ id }) => id === piece.creditId)!;
    const reversal: NewReversal = {
      ...{ kind: 'reversal', id: randomUUID(), payment, cents: piece.cents },
      ...{ reason: 'moved', description: 'Moved to the next tenant' },
    };
    const credit: NewCredit = {
      ...{ kind: 'credit', id: randomUUID(), cents: piece.cents },
      ...{ description: 'Moved from the tenant before', movedBy: reversal.id },
    };
    return { ...piece, reversal, credit };
  });
  const emptied = post(
    released.after,
    pieces.map(({ reversal }) => reversal),
  );
  if (emptied.posting.balanceCents !== 0)
    throw new Error('the ledger of an assigned rental does not come to 0');
  const creditsFor = (chargeId: string | null) =>
    pieces.filter((piece) => piece.chargeId === chargeId).map(({ credit }) => credit);
  const changes = newCharges(given).flatMap(({ of, charge }): Change[] => [
    charge,
    ...(of === null ? [] : creditsFor(of)),
  ]);
  return {
    from: joinPostings([released.posting, emptied.posting]),
    to: post(given.to, [...changes, ...creditsFor(null)]).posting,
  };
}

/**
 * The charges of the new ledger, each with the one that it is instead `of`. From the first rent on
 * each period has its rent, of 0 where it stays with who paid it; and a rent that had a late fee,
 * which is one a rent, has one of 0.
 */
function newCharges({ charges, assigned, waivers }: Given) {
  const newIds = new Map(assigned.map(({ charge }) => [charge.id, randomUUID() as string]));
  const of0 = ({ category, description, dueOn, periodEnd }: DescribedCharge) => ({
    ...{ kind: 'charge' as const, category, description, dueOn, periodEnd },
    ...{ priceCents: 0, discountCents: 0, tax1Cents: 0, tax2Cents: 0 },
  });
  const rents = charges.filter(({ category }) => category === 'rent');
  const isNeeded = ({ id }: DescribedCharge) =>
    assigned.some(({ charge }) => charge.id === id || charge.lateFor === id);
  const first = firstDue(rents.filter(isNeeded));
  const made: { of: string | null; charge: NewCharge }[] = [];
  for (const rent of rents) {
    if (newIds.has(rent.id) || first === null || rent.dueOn < first) continue;
    const id = randomUUID();
    newIds.set(rent.id, id);
    made.push({ of: null, charge: { ...of0(rent), id, lateFor: null } });
  }
  for (const { charge, cents } of assigned) {
    const { tax1Cents, tax2Cents } = waivers.find((one) => one.charge.id === charge.id)!;
    const id = newIds.get(charge.id)!;
    const lateFor = charge.lateFor === null ? null : newIds.get(charge.lateFor)!;
    const sums = { priceCents: cents - tax1Cents - tax2Cents, tax1Cents, tax2Cents };
    made.push({ of: charge.id, charge: { ...of0(charge), ...sums, id, lateFor } });
    const fee = charges.find((one) => one.lateFor === charge.id);
    if (fee !== undefined && !newIds.has(fee.id))
      made.push({ of: null, charge: { ...of0(fee), id: randomUUID(), lateFor: id } });
  }
  return made;
}
