import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pagesOf, structureOf } from '#test/pdf.ts';
import { drawPaper } from './draw.ts';
import { runsOf } from './fonts.ts';
import type { Block } from './paper.ts';

const paper = (...blocks: Block[]) => ({
  issuer: 'Anchor & Axle RV & Boat Storage',
  title: 'Receipt 1000042',
  at: new Date('2026-11-14T17:00:00Z'),
  blocks,
});
const drawn = async (...blocks: Block[]) => pagesOf(await drawPaper(paper(...blocks)));
const named = (name: string): Block => ({ kind: 'facts', facts: [['Tenant', name]] });

describe('a paper', () => {
  test.each([
    ['Latin', 'Žofie Łukasiewicz-Ñandú', 'sans'],
    ['Cyrillic', 'Алексей Ёлкин', 'sans'],
    ['Greek', 'Ελένη Παπαδοπούλου', 'sans'],
    ['Devanagari', 'नमन', 'sans'],
    ['Thai', 'สมชาย', 'thai'],
  ])('prints a name in %s letters', async (_, name, font) => {
    expect(runsOf(name).map((run) => run.font)).toEqual([font]);
    expect((await drawn(named(name)))[0]!.split('\n')).toContain(name);
  });

  test.each([
    ['Vietnamese', 'Nguyễn Thị Thuỷ'],
    ['Chinese', '王小明'],
    ['old Chinese', '龍馬'],
    ['Japanese', 'さくらアキラ'],
    ['Korean', '김철수'],
    ['Arabic', 'محمد'],
    ['Hebrew', 'דוד'],
  ])('has a font for each letter of a name in %s letters, and prints it', async (_, name) => {
    const fonts = runsOf(name).map((run) => run.font);
    if (name !== 'Nguyễn Thị Thuỷ') expect(fonts).not.toContain('sans');
    const printed = new Set((await drawn(named(name)))[0]);
    if (!/\p{sc=Latin}|\p{sc=Arabic}/u.test(name))
      for (const letter of name) expect(printed).toContain(letter);
  });

  test('puts the words of what reads from the right in their order, and continues from the left after it', () => {
    expect(runsOf('محمد علي Smith')).toEqual([
      { text: 'محمد علي', font: 'arabic', isRightToLeft: true },
      { text: ' ', font: 'sans', isRightToLeft: false },
      { text: 'Smith', font: 'sans', isRightToLeft: false },
    ]);
  });

  test('leaves out what would turn its order around, and never fails for any text', async () => {
    expect(runsOf('a\u202eb\u0000c\ufeff').map(({ text }) => text)).toEqual(['abc']);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (name) => {
        expect((await drawPaper(paper(named(name)))).subarray(0, 5).toString()).toBe('%PDF-');
      }),
      { numRuns: 10 },
    );
  });

  test('prints a letter that no font has, as the box of the font that has most', () => {
    expect(runsOf('🚤').map(({ font }) => font)).toEqual(['sans']);
  });

  test('breaks long names and words, and continues to further pages under the table’s head', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      cells: [`Row ${index}`, { cents: index * 100 }],
    }));
    const pages = await drawn(named('x'.repeat(300)), {
      kind: 'rows',
      head: ['Entry', 'Charged'],
      rows,
    });
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) {
      expect(page.split('\n')).toContain('Charged');
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    const text = pages.join('\n').split('\n');
    for (const { cells } of rows) expect(text).toContain(cells[0]);
    expect(text).toContain('$119.00');
  });

  test('is tagged for screen readers: language, title, headings, paragraphs and tables in their order', async () => {
    const pdf = await drawPaper(
      paper(
        {
          kind: 'columns',
          columns: [
            { title: 'Paid by', lines: ['Dana Reyes', '12 Elm Street'] },
            { title: 'Facility', lines: ['Eagle Mountain'] },
          ],
        },
        { kind: 'notice', text: 'This payment is pending.' },
        { kind: 'facts', facts: [['Unit', 'A101']] },
        { kind: 'heading', text: 'What was paid' },
        {
          kind: 'rows',
          head: ['Charge', 'Charged', 'Paid'],
          rows: [{ cells: ['Rent', { cents: 12_000 }, null] }],
        },
        { kind: 'paragraph', text: 'Thank you.' },
      ),
    );
    expect(pdf.toString('latin1')).toContain('/DisplayDocTitle true');
    expect(structureOf(pdf)).toEqual({
      language: 'en-US',
      isTagged: true,
      unmarked: [],
      outline: [
        'Document',
        '  P Anchor & Axle RV & Boat Storage',
        '  H1 Receipt 1000042',
        '  Div',
        '    P Paid by',
        '    P Dana Reyes',
        '    P 12 Elm Street',
        '  Div',
        '    P Facility',
        '    P Eagle Mountain',
        '  P This payment is pending.',
        '  Table',
        '    TR',
        '      TH(Row) Unit',
        '      TD A101',
        '  H2 What was paid',
        '  Table',
        '    TR',
        '      TH(Column) Charge',
        '      TH(Column) Charged',
        '      TH(Column) Paid',
        '    TR',
        '      TH(Row) Rent',
        '      TD $120.00',
        '      TD',
        '  P Thank you.',
      ],
    });
  });

  test('a text over two pages is one element, and the head of a table is read once', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({ cells: [`Row ${index}`] }));
    const text = Array.from({ length: 1200 }, (_, index) => `word${index}`).join(' ');
    const { outline, unmarked } = structureOf(
      await drawPaper(paper({ kind: 'paragraph', text }, { kind: 'rows', head: ['Entry'], rows })),
    );
    expect(unmarked).toEqual([]);
    expect(outline[3]).toBe(`  P ${text}`);
    expect(outline.filter((line) => line.includes('Entry'))).toHaveLength(1);
    expect(outline.filter((line) => line.includes('Row '))).toHaveLength(120);
  });
});

test('lets others work between its parts, however long it is', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => ({ cells: [`Rent ${at}`, '$180.00'] }));
  const letters = Array.from({ length: 400 }, (): Block => ({ kind: 'paragraph', text: 'Rent.' }));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  const drawing = drawPaper(paper({ kind: 'rows', head: ['Entry', 'Sum'], rows }, ...letters));
  setImmediate(count);
  await drawing;
  isDone = true;
  expect(turns).toBeGreaterThan(40);
});
