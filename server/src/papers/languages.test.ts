import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { pagesOf, structureOf } from '#test/pdf.ts';
import { drawPaper } from './draw.ts';
import { finalStatementPaper } from './final-statement.ts';
import type { Paper } from './paper.ts';
import { receiptPaper, type Receipt } from './receipt.ts';
import { statementPaper } from './statement.ts';
import { yearStatementPaper } from './year-statement.ts';

const at = new Date('2026-11-14T17:00:00Z');
const letterhead = {
  issuer: 'Gatehouse',
  facility: {
    name: 'Lakeside',
    phone: '8175550103',
    street1: '1 Main St',
    street2: null,
    city: 'Azle',
    region: 'TX',
    postalCode: '76020',
  },
  tenant: { name: 'Dana Reyes', lines: [] },
};
const rent = 'Rent 9/14/2026 - 10/13/2026';
const charge = { dueOn: '2026-09-14', priceCents: 9000, discountCents: 500, tax1Cents: 700 };
const receipt: Receipt = {
  ...letterhead,
  number: '1000042',
  postedOn: '2026-09-15',
  createdAt: at,
  unitName: 'A101',
  method: 'Visa ending in 4242',
  isAutopay: true,
  isPending: true,
  amountCents: 10_000,
  charges: [{ ...charge, description: rent, tax2Cents: 100, paidCents: 9300 }],
  takenBack: [
    {
      postedOn: '2026-09-20',
      cents: 10_000,
      reason: 'return',
      description: 'Returned by the bank: the account is closed',
    },
    {
      postedOn: '2026-09-21',
      cents: 100,
      reason: 'refund',
      description: 'Refunded in cash',
    },
  ],
  owedBeforeCents: 9300,
  owedAfterCents: -700,
  wholeCents: 12_000,
};
const line = { postedOn: '2026-09-14', description: 'Late fee', receiptNumber: null, cents: 1500 };
const paid = {
  postedOn: '2026-09-15',
  description: 'Visa ending in 4242',
  receiptNumber: '1000042',
  unitName: 'A101',
  cents: -10_000,
};
const papers: [string, () => Paper][] = [
  ['receipt', () => receiptPaper(receipt)],
  [
    'statement',
    () =>
      statementPaper({
        ...letterhead,
        number: 'S-500042',
        period: { month: '2026-09', firstOn: null, lastOn: null },
        createdAt: at,
        units: [{ unitName: 'A101', openingCents: 0, lines: [line, paid], closingCents: 0 }],
      }),
  ],
  [
    'year',
    () =>
      yearStatementPaper({
        ...letterhead,
        year: '2026',
        today: '2026-11-14',
        drawnAt: at,
        lines: [paid],
        paidFor: [{ category: 'rent', cents: 9300 }],
        beforeCents: 100,
        leftCents: 800,
        daysBack: 7,
      }),
  ],
  [
    'final statement',
    () =>
      finalStatementPaper({
        ...letterhead,
        settledAt: at,
        movedOutOn: '2026-11-05',
        unitName: 'A101',
        lines: [{ description: `Not rented any more: ${rent}`, cents: -9000 }],
        beforeCents: 0,
        balanceCents: -9000,
        refundedCents: 8000,
        byHandCents: 1000,
      }),
  ],
];

const drawn = async (paper: () => Paper) => {
  const pdf = await inLanguage('es', () => drawPaper(paper()));
  expect(structureOf(pdf).language).toBe('es-US');
  return pagesOf(pdf).join('\n').split('\n');
};

/** Words that no Spanish line has. */
const ENGLISH = /\b(the|of|is|was|and|with|to|for|by|unit|ending|payment|page|owed|paid|rent)\b/i;

describe('a paper in Spanish', () => {
  test.each(papers)('has no English: a %s', async (_, paper) => {
    expect((await drawn(paper)).filter((text) => ENGLISH.test(text))).toEqual([]);
  });

  test('says on a receipt who paid what for which charges, and what became of it', async () => {
    const lines = await drawn(papers[0]![1]);
    for (const text of [
      'Recibo 1000042',
      'Pagado por',
      'Este pago bancario está pendiente. Ya cuenta como pagado, pero su banco aún puede devolverlo.',
      'El banco devolvió este pago el 20 sept 2026: Devuelto por el banco: la cuenta está cerrada.',
      'Se reembolsaron $1.00 de este pago el 21 sept 2026: Reembolsado en efectivo.',
      '15 sept 2026',
      'Visa terminada en 4242 (pago automático)',
      'Lo que cubrió este pago',
      'Renta 14 sept 2026 - 13 oct 2026',
      'Impuesto 1',
      'Saldo a favor en su cuenta',
      'Página 1 de 1',
    ])
      expect(lines).toContain(text);
  });

  test('says on a statement what was charged and paid', async () => {
    const lines = await drawn(papers[1]![1]);
    for (const text of [
      'Estado de cuenta de septiembre de 2026',
      'Unidad A101',
      '14 sept 2026 Cargo por mora',
      '15 sept 2026 Pago, Visa terminada en 4242,',
    ])
      expect(lines).toContain(text);
  });

  // spec 10.75
  test('prints every letter and sign of Spanish', async () => {
    const text = 'áéíóúüñ ÁÉÍÓÚÜÑ ¿Qué? ¡Sí!';
    const paper = { issuer: 'x', title: 'y', at, blocks: [{ kind: 'notice' as const, text }] };
    expect(await drawn(() => paper)).toContain(text);
  });
});
