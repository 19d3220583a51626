import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { billPeriod, totalCents, type Terms } from './bill.ts';
import { nextPeriod } from './periods.ts';

const none = { tax1: 0, tax2: 0 };
const plain: Terms = {
  rateCents: 24_000,
  discount: null,
  rentTaxes: none,
  premiumCents: null,
  insuranceTaxes: none,
  cardFeeCents: 0,
};
const whole = nextPeriod('anniversary', 14, '2026-11-14');
const part = nextPeriod('first_of_month', 1, '2026-11-17');

describe('the bill of a period', () => {
  test('is its rent, named by its days', () => {
    expect(billPeriod(plain, whole)).toEqual([
      {
        kind: 'charge',
        category: 'rent',
        description: 'Rent 11/14/2026 - 12/13/2026',
        dueOn: '2026-11-14',
        periodEnd: '2026-12-13',
        priceCents: 24_000,
        discountCents: 0,
        tax1Cents: 0,
        tax2Cents: 0,
        lateFor: null,
      },
    ]);
  });

  test('is described in English, whatever the language of the call', () => {
    const [rent] = inLanguage('es', () => billPeriod(plain, whole));
    expect(rent!.description).toBe('Rent 11/14/2026 - 12/13/2026');
  });

  test('takes the discount off before it adds the two taxes, each rounded by itself', () => {
    const [rent] = billPeriod(
      { ...plain, discount: { basisPoints: 1000 }, rentTaxes: { tax1: 625, tax2: 200 } },
      whole,
    );
    expect(rent).toMatchObject({
      priceCents: 24_000,
      discountCents: 2400,
      tax1Cents: 1350,
      tax2Cents: 432,
    });
  });

  test('has the protection plan as a line of its own, with the taxes of insurance', () => {
    const terms = { ...plain, premiumCents: 1400, insuranceTaxes: { tax1: 485, tax2: 0 } };
    expect(billPeriod(terms, whole)[1]).toMatchObject({
      category: 'insurance',
      description: 'Protection plan 11/14/2026 - 12/13/2026',
      priceCents: 1400,
      tax1Cents: 68,
      periodEnd: '2026-12-13',
    });
  });

  test('bills a period that is cut short by its days, to the cent', () => {
    const terms = {
      ...plain,
      rateCents: 19_950,
      premiumCents: 1400,
      discount: { amountCents: 1000 },
    };
    const [rent, plan] = billPeriod(terms, part);
    expect(rent).toMatchObject({ priceCents: 9310, discountCents: 467 });
    expect(plan).toMatchObject({ priceCents: 653 });
  });

  test.each([
    [{ amountCents: 30_000 }, 24_000],
    [{ basisPoints: 10_000 }, 24_000],
    [{ basisPoints: 1 }, 2],
    [{ basisPoints: 333 }, 799],
  ])(
    'a discount of %j takes off %i cents of 24,000, never more than the rent',
    (discount, cents) => {
      expect(billPeriod({ ...plain, discount }, whole)[0]).toMatchObject({ discountCents: cents });
    },
  );

  test.each([
    [24_000, 500, 500],
    // At most 3 % of the rent that it comes with, rounded down.
    [9999, 500, 299],
    [9933, 298, 297],
  ])(
    'a rent of %i with a card fee of %i has one of %i, not taxed',
    (rateCents, cardFeeCents, cents) => {
      const charges = billPeriod({ ...plain, rateCents, cardFeeCents, rentTaxes: none }, whole);
      expect(charges[1]).toMatchObject({
        category: 'fee',
        description: 'Card fee',
        priceCents: cents,
        tax1Cents: 0,
        tax2Cents: 0,
      });
    },
  );

  test('posts no line for what costs nothing', () => {
    expect(billPeriod({ ...plain, rateCents: 0, cardFeeCents: 500 }, whole)).toEqual([]);
    expect(
      billPeriod({ ...plain, discount: { basisPoints: 10_000 }, cardFeeCents: 500 }, whole),
    ).toHaveLength(1);
  });

  test('is whole cents, not below 0, and its parts add up to a whole period within a cent a line', () => {
    const rates = fc.integer({ min: 0, max: 5_000_000 });
    const points = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(
        rates,
        points,
        points,
        fc.integer({ min: 1, max: 30 }),
        (rateCents, tax1, off, firstDays) => {
          const terms = {
            ...plain,
            rateCents,
            rentTaxes: { tax1, tax2: 0 },
            discount: { basisPoints: Math.max(1, off) },
          };
          const start = nextPeriod('anniversary', 1 + firstDays, '2026-12-01');
          const bill = billPeriod(terms, start);
          for (const { priceCents, discountCents, tax1Cents } of bill) {
            for (const cents of [
              priceCents,
              discountCents,
              tax1Cents,
              priceCents - discountCents,
            ]) {
              expect(Number.isSafeInteger(cents)).toBe(true);
              expect(cents).toBeGreaterThanOrEqual(0);
            }
            // Half up: never half a cent or more away from the exact share.
            const exact = (rateCents * start.days) / start.ofDays;
            expect(Math.abs(priceCents - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
          }
          expect(totalCents(bill)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
