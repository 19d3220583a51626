import type { JournalAccount, JournalBasis } from '@gatehouse/contract/office/journal';

/** Where money came in or went out. */
export type Way = 'bank' | 'drawer' | 'gateway' | 'before';

/** What a charge is for; `again` is what went back of a payment that had less left. */
export type Category =
  | 'rent'
  | 'insurance'
  | 'service'
  | 'lateFee'
  | 'cardFee'
  | 'fee'
  | 'deposit'
  | 'again';

/**
 * The entries of one kind, day and facility in one sum, in cents. What takes an entry back is the
 * same with sums below 0: a refund is a payment below 0, and a waiver that was taken back one too.
 */
export type Fact = { facilityId: string; day: string } & (
  | {
      kind: 'charge';
      category: Category;
      /** When it is earned: its due day where that is later, else the day itself. */
      earnedOn: string;
      /** With its taxes, which `taxed` of it without them bears. */
      cents: number;
      taxed: number;
      price: number;
      discount: number;
      tax1: number;
      tax2: number;
    }
  /** A payment, or what a won dispute gave back of one. */
  | { kind: 'money'; way: Way; cents: number }
  /** Money that went back of a payment which had none left: it is owed again. */
  | { kind: 'again'; way: Way; cents: number }
  /** A credit paid out, below 0; `isMoney` where a payment had made it. */
  | { kind: 'paidOut'; way: Way; isMoney: boolean; cents: number }
  /** A credit that staff gave; `isMoney` of one that takes a payment's rest from the tenant. */
  | { kind: 'credit'; isMoney: boolean; cents: number }
  /** Both sides of a credit that went from one rental to another. */
  | { kind: 'moved'; cents: number }
  /** `assigned`: of what another tenant is charged instead. */
  | {
      kind: 'waiver' | 'assigned';
      category: Category;
      earnedOn: string;
      cents: number;
      taxed: number;
      tax1: number;
      tax2: number;
    }
  | { kind: 'writeOff'; category: Category; cents: number }
  /** What settled charges: what of `cents` was their tax; `isMoney` where a payment did. */
  | {
      kind: 'settled';
      category: Category;
      isMoney: boolean;
      cents: number;
      tax1: number;
      tax2: number;
    }
);

/** What comes to an account on a day, in cents: above 0 a debit, below 0 a credit. */
export type Line = { facilityId: string; day: string; account: JournalAccount; cents: number };

const incomes = {
  rent: 'rent',
  insurance: 'insurance',
  service: 'service',
  lateFee: 'lateFees',
  cardFee: 'cardFees',
  fee: 'fees',
  // No income: it is held for the tenant.
  deposit: 'deposits',
  // Nothing new either: the tenant owes what came back.
  again: 'receivable',
} as const satisfies Record<Category, JournalAccount>;

/**
 * The journal's lines of a fact, which come to 0.
 *
 * Accrual: a charge is income from its due day on, and a receivable from its posting. A payment or
 * credit is in `prepaid` until it settles a charge, so that `receivable` is what is owed of
 * charges, `prepaid` what is open of credits, and the one less the other the sum of the rentals'
 * balances.
 *
 * Cash: what a payment settles is income, tax or deposit on the day on which it does; charges,
 * waivers, write-offs and credits of staff are nothing until then.
 */
export function linesOf(fact: Fact, basis: JournalBasis): Line[] {
  const { facilityId, day } = fact;
  const lines: Line[] = [];
  const add = (account: JournalAccount, cents: number, on = day) => {
    if (cents !== 0) lines.push({ facilityId, day: on, account, cents });
  };
  /** What is earned on a later day is kept for it. */
  const earn = (account: JournalAccount, cents: number, earnedOn: string) => {
    const isLater = earnedOn > day;
    if (isLater) {
      add('billedAhead', cents);
      add('billedAhead', -cents, earnedOn);
    }
    add(account, cents, isLater ? earnedOn : day);
  };
  const addTaxes = (category: Category, { tax1, tax2 }: { tax1: number; tax2: number }) => {
    // No sales tax: an import may have it, and it is held with the rest.
    const isHeld = category === 'deposit';
    const [first, second]: JournalAccount[] =
      category === 'insurance' ? ['insuranceTax1', 'insuranceTax2'] : ['rentTax1', 'rentTax2'];
    add(isHeld ? 'deposits' : first!, tax1);
    add(isHeld ? 'deposits' : second!, tax2);
  };
  const isAccrual = basis === 'accrual';
  switch (fact.kind) {
    case 'money':
      add(fact.way, fact.cents);
      add('prepaid', -fact.cents);
      return lines;
    case 'again':
      add('receivable', fact.cents);
      add(fact.way, -fact.cents);
      return lines;
    case 'paidOut':
      add(fact.way, fact.cents);
      add(isAccrual || fact.isMoney ? 'prepaid' : 'credits', -fact.cents);
      return lines;
    case 'credit':
      if (!isAccrual && !fact.isMoney) return lines;
      add('credits', fact.cents);
      add('prepaid', -fact.cents);
      return lines;
    case 'moved':
      if (!isAccrual) return lines;
      add('credits', fact.cents);
      add('prepaid', -fact.cents);
      return lines;
    case 'charge': {
      if (!isAccrual) return lines;
      const { category, price, discount, tax1, tax2, earnedOn } = fact;
      add('receivable', price - discount + tax1 + tax2);
      earn(incomes[category], -price, earnedOn);
      earn('discounts', discount, earnedOn);
      addTaxes(category, { tax1: -tax1, tax2: -tax2 });
      return lines;
    }
    case 'waiver':
    case 'assigned': {
      if (!isAccrual) return lines;
      const { kind, category, cents, tax1, tax2, earnedOn } = fact;
      // A deposit was never income: what is waived of it is no longer held.
      const isTakenBack = kind === 'assigned' || category === 'deposit';
      earn(isTakenBack ? incomes[category] : 'waived', cents - tax1 - tax2, earnedOn);
      addTaxes(category, { tax1, tax2 });
      add('prepaid', -cents);
      return lines;
    }
    case 'writeOff':
      if (!isAccrual) return lines;
      add(fact.category === 'deposit' ? 'deposits' : 'badDebt', fact.cents);
      add('prepaid', -fact.cents);
      return lines;
    case 'settled': {
      const { category, isMoney, cents, tax1, tax2 } = fact;
      if (!isAccrual && !isMoney) return lines;
      add('prepaid', cents);
      if (isAccrual) add('receivable', -cents);
      else {
        add(incomes[category], -(cents - tax1 - tax2));
        addTaxes(category, { tax1: -tax1, tax2: -tax2 });
      }
      return lines;
    }
  }
}
