import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, type OpenCharge } from './allocation.ts';

const charge = (
  id: string,
  category: OpenCharge['category'],
  dueOn: string,
  owedCents: number,
  position = 1,
): OpenCharge => ({
  id,
  category,
  dueOn,
  owedCents,
  position,
});

const owed = [
  charge('november fee', 'fee', '2026-11-19', 1500, 4),
  charge('november plan', 'insurance', '2026-11-14', 1400, 3),
  charge('november rent', 'rent', '2026-11-14', 20_000, 2),
  charge('october fee', 'fee', '2026-10-19', 1500, 1),
];
const order = (allocations: { chargeId: string }[]) => allocations.map(({ chargeId }) => chargeId);

describe('a payment settles charges in the facility’s order', () => {
  test('oldest first, and inside a date rent before services, insurance and fees', () => {
    expect(order(allocate(owed, 24_400, 'oldest_first'))).toEqual([
      'october fee',
      'november rent',
      'november plan',
      'november fee',
    ]);
  });

  test('rent first, then services, insurance and fees', () => {
    expect(order(allocate(owed, 24_400, 'rent_first'))).toEqual([
      'november rent',
      'november plan',
      'october fee',
      'november fee',
    ]);
  });

  test('fees first, then rent, services and insurance', () => {
    expect(order(allocate(owed, 24_400, 'fees_first'))).toEqual([
      'october fee',
      'november fee',
      'november rent',
      'november plan',
    ]);
  });

  test('a part payment stops inside the charge where the money ends', () => {
    expect(allocate(owed, 2000, 'oldest_first')).toEqual([
      { chargeId: 'october fee', cents: 1500 },
      { chargeId: 'november rent', cents: 500 },
    ]);
  });
});

describe('for any charges and any payment', () => {
  const charges = fc.array(
    fc.record({
      category: fc.constantFrom(
        'rent' as const,
        'service' as const,
        'insurance' as const,
        'fee' as const,
      ),
      dueOn: fc.constantFrom('2026-09-30', '2026-10-31', '2026-11-30'),
      owedCents: fc.integer({ min: 1, max: 500_000 }),
    }),
    { maxLength: 12 },
  );
  const orders = fc.constantFrom(
    'oldest_first' as const,
    'rent_first' as const,
    'fees_first' as const,
  );

  test('what is allocated is the payment, or all that is owed when that is less; no charge gets more than it owes', () => {
    fc.assert(
      fc.property(charges, fc.integer({ min: 1, max: 5_000_000 }), orders, (rows, cents, order) => {
        const open = rows.map((row, index) => ({ ...row, id: String(index), position: index }));
        const allocations = allocate(open, cents, order);
        const total = open.reduce((sum, row) => sum + row.owedCents, 0);
        expect(allocations.reduce((sum, part) => sum + part.cents, 0)).toBe(Math.min(cents, total));
        for (const part of allocations) {
          expect(part.cents).toBeGreaterThan(0);
          expect(part.cents).toBeLessThanOrEqual(
            open.find((row) => row.id === part.chargeId)!.owedCents,
          );
        }
        expect(new Set(allocations.map((part) => part.chargeId)).size).toBe(allocations.length);
      }),
    );
  });

  test('two payments settle the same charges as one of their sum', () => {
    fc.assert(
      fc.property(
        charges,
        fc.integer({ min: 1, max: 900_000 }),
        fc.integer({ min: 1, max: 900_000 }),
        orders,
        (rows, a, b, order) => {
          const open = rows.map((row, index) => ({ ...row, id: String(index), position: index }));
          const first = allocate(open, a, order);
          const left = open
            .map((row) => ({
              ...row,
              owedCents:
                row.owedCents - (first.find((part) => part.chargeId === row.id)?.cents ?? 0),
            }))
            .filter((row) => row.owedCents > 0);
          const settled = new Map<string, number>();
          for (const part of [...first, ...allocate(left, b, order)])
            settled.set(part.chargeId, (settled.get(part.chargeId) ?? 0) + part.cents);
          const atOnce = new Map(
            allocate(open, a + b, order).map((part) => [part.chargeId, part.cents]),
          );
          expect(settled).toEqual(atOnce);
        },
      ),
    );
  });
});
