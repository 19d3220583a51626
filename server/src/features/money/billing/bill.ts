import { formatDate } from '@gatehouse/contract/dates';
import { inLanguage } from '#context/language.ts';
import type { NewCharge } from '#features/base/ledgers/books.ts';
import type { Period } from './periods.ts';

/** What a discount plan takes off the rent of a period: a share, or a sum in cents. */
export type Discount = { basisPoints: number } | { amountCents: number };

/** A line's two taxes in basis points. */
export type Taxes = { tax1: number; tax2: number };

/** What a ledger is billed by in one period; money in cents for a whole period. */
export type Terms = {
  rateCents: number;
  discount: Discount | null;
  /** None where the unit's contents are not taxed. */
  rentTaxes: Taxes;
  /** Of the protection plan that is active on the period's first day. */
  premiumCents: number | null;
  insuranceTaxes: Taxes;
  /** What the facility adds while autopay charges a credit card, else 0. */
  cardFeeCents: number;
};

/** A charge before it has an id. */
export type BilledCharge = Omit<NewCharge, 'id'>;

/** A card fee is at most this share of the rent that it comes with: 3 %. */
const CARD_FEE_LIMIT = 300;
const WHOLE = 10_000;

/**
 * The charges of one period, rent first: a discount before tax, taxes of each line by themselves,
 * all rounded half up to the cent; a period that is cut short is billed by its days. Nothing is
 * posted for what costs nothing.
 */
export function billPeriod(terms: Terms, period: Period): BilledCharge[] {
  const { dueOn, periodEnd, days, ofDays } = period;
  const text = daysText(dueOn, periodEnd);
  const share = (cents: number) => roundedShare(cents, days, ofDays);
  const charge = (
    part: Partial<BilledCharge> & Pick<BilledCharge, 'category' | 'description' | 'priceCents'>,
  ) => ({
    kind: 'charge' as const,
    dueOn,
    periodEnd,
    discountCents: 0,
    tax1Cents: 0,
    tax2Cents: 0,
    lateFor: null,
    ...part,
  });

  const priceCents = share(terms.rateCents);
  const discountCents = discountOf(terms.discount, priceCents, share);
  const rentTaxes = taxesOf(terms.rentTaxes, priceCents - discountCents);
  const rent = {
    category: 'rent' as const,
    description: `Rent ${text}`,
    priceCents,
    discountCents,
  };
  const charges = [charge({ ...rent, ...rentTaxes })];

  const premiumCents = share(terms.premiumCents ?? 0);
  const premiumTaxes = taxesOf(terms.insuranceTaxes, premiumCents);
  charges.push(
    charge({
      category: 'insurance',
      description: `Protection plan ${text}`,
      priceCents: premiumCents,
      ...premiumTaxes,
    }),
  );

  const rentTotal = priceCents - discountCents + rentTaxes.tax1Cents + rentTaxes.tax2Cents;
  const feeCents = Math.min(terms.cardFeeCents, Math.floor((rentTotal * CARD_FEE_LIMIT) / WHOLE));
  charges.push(charge({ category: 'fee', description: 'Card fee', priceCents: feeCents }));

  return charges.filter((one) => one.priceCents > 0);
}

/** Days as the books describe them: in English, whatever the language of the call. */
export function daysText(from: string, to: string): string {
  return inLanguage('en', () => `${formatDate(from)} - ${formatDate(to)}`);
}

/** A sum of charges, in cents. */
export function totalCents(
  charges: Pick<NewCharge, 'priceCents' | 'discountCents' | 'tax1Cents' | 'tax2Cents'>[],
): number {
  return charges.reduce(
    (sum, one) => sum + one.priceCents - one.discountCents + one.tax1Cents + one.tax2Cents,
    0,
  );
}

/** Never more than the rent itself. */
function discountOf(
  discount: Discount | null,
  priceCents: number,
  share: (cents: number) => number,
): number {
  if (discount === null) return 0;
  if ('basisPoints' in discount) return roundedShare(priceCents, discount.basisPoints, WHOLE);
  return Math.min(priceCents, share(discount.amountCents));
}

/** The taxes on a sum, each rounded half up to the cent. */
export function taxesOf(
  { tax1, tax2 }: Taxes,
  cents: number,
): Pick<BilledCharge, 'tax1Cents' | 'tax2Cents'> {
  return {
    tax1Cents: roundedShare(cents, tax1, WHOLE),
    tax2Cents: roundedShare(cents, tax2, WHOLE),
  };
}

/** `part` of `whole` of the cents, rounded half up; in integers only. */
export function roundedShare(cents: number, part: number, whole: number): number {
  const doubled = 2 * cents * part + whole;
  return (doubled - (doubled % (2 * whole))) / (2 * whole);
}
