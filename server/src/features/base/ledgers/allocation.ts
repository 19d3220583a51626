import type { ChargeCategory, PaymentOrder } from '#db/tables.ts';

/**
 * A charge with something owed: cents, the due date, and its place among the ledger's entries.
 * `reopened` is what of it acts of the operator have opened again, and the day on which that is
 * due.
 */
export type OpenCharge = {
  id: string;
  category: ChargeCategory;
  dueOn: string;
  position: number;
  owedCents: number;
  reopened?: { cents: number; on: string } | null;
};

/** What of a payment settles which charge, in cents. */
export type Allocation = { chargeId: string; cents: number };

const byCategory: Record<PaymentOrder, ChargeCategory[]> = {
  oldest_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  rent_first: ['rent', 'service', 'insurance', 'fee', 'deposit'],
  fees_first: ['fee', 'rent', 'service', 'insurance', 'deposit'],
};

/**
 * Spreads a payment over open charges in the facility's order: oldest due date first and inside it
 * by category, or by category first and inside it oldest first. What was opened again counts with
 * its new day. What is left when all are settled is a credit.
 */
export function allocate(charges: OpenCharge[], cents: number, order: PaymentOrder): Allocation[] {
  let left = cents;
  const settled = new Map<string, number>();
  for (const { id, owedCents } of inOrder(charges.flatMap(byDay), order)) {
    const taken = Math.min(left, owedCents);
    left -= taken;
    if (taken > 0) settled.set(id, (settled.get(id) ?? 0) + taken);
  }
  return [...settled].map(([chargeId, taken]) => ({ chargeId, cents: taken }));
}

function byDay(charge: OpenCharge): OpenCharge[] {
  const { reopened, dueOn, owedCents } = charge;
  if (reopened == null || reopened.on <= dueOn) return [charge];
  const cents = Math.min(reopened.cents, owedCents);
  return [
    { ...charge, owedCents: owedCents - cents },
    { ...charge, dueOn: reopened.on, owedCents: cents },
  ];
}

function inOrder(charges: OpenCharge[], order: PaymentOrder): OpenCharge[] {
  const rank = (charge: OpenCharge) => byCategory[order].indexOf(charge.category);
  const byDate = (a: OpenCharge, b: OpenCharge) =>
    a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0;
  const byRank = (a: OpenCharge, b: OpenCharge) => rank(a) - rank(b);
  const [first, second] = order === 'oldest_first' ? [byDate, byRank] : [byRank, byDate];
  return charges.toSorted((a, b) => first(a, b) || second(a, b) || a.position - b.position);
}
