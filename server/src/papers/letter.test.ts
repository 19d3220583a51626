import { describe, expect, test } from 'vitest';
import type { Letter } from '#db/tables.ts';
import { pagesOf, placesOf, structureOf } from '#test/pdf.ts';
import { drawPaper } from './draw.ts';
import { lettersPaper } from './letter.ts';

const letter = (more: Partial<Letter> = {}): Letter => ({
  from: ['Eagle Mountain Storage', '8600 Boat Club Rd', 'Fort Worth, TX 76179', '(817) 555-0100'],
  to: ['Dana Reyes', '12 Elm St', 'Apt 4', 'Azle, TX 76020'],
  on: '2026-11-24',
  subject: 'Unit A101: $214.50 is past due',
  text: 'Hello Dana,\n\nPlease pay.',
  units: [{ unitName: 'A101', since: '2026-11-14', cents: 21_450 }],
  ...more,
});
const drawn = (...letters: [Letter, ...Letter[]]) =>
  drawPaper(lettersPaper(letters, new Date('2026-11-24T17:00:00Z')));

/**
 * What a #10 window can show of a sheet folded in three, in points: all of `least` wherever the
 * sheet lies in the envelope, and nothing outside of `most`.
 */
const least = { left: 63, right: 315, top: 180, bottom: 228 };
const most = { right: 387, top: 147, bottom: 261 };

describe('letters', () => {
  test.each([
    ['four lines', letter().to],
    [
      'a long name',
      [
        'Maria del Carmen Fernández-Castellanos de la Vega y Villanueva',
        '1 Elm St',
        'Azle, TX 76020',
      ],
    ],
    [
      'six lines',
      [
        'Dana Reyes',
        'c/o Reyes Marine Repair',
        '12 Elm St',
        'Apt 4',
        'Building C',
        'Azle, TX 76020',
      ],
    ],
  ])('have an address of %s in the envelope’s window, and nothing else there', async (_, to) => {
    const [page] = placesOf(await drawn(letter({ to })));
    const words = to.join(' ').split(' ');
    const inWindow = page!.filter(({ x, y }) => x < most.right && y > most.top && y < most.bottom);
    expect(
      inWindow
        .map(({ text }) => text)
        .join(' ')
        .split(' '),
    ).toEqual(words);
    for (const { x, y } of inWindow) {
      expect(x).toBe(least.left);
      expect(y).toBeGreaterThan(least.top);
      expect(y).toBeLessThan(least.bottom);
    }
  });

  test('keep a long letterhead above the window', async () => {
    const from = ['Storage '.repeat(60), ...Array.from({ length: 9 }, () => '8600 Boat Club Rd')];
    const [page] = placesOf(await drawn(letter({ from })));
    const inWindow = page!.filter(({ x, y }) => x < most.right && y > most.top && y < most.bottom);
    expect(inWindow.map(({ text }) => text)).toEqual(letter().to);
  });

  test('are a page each, with day, sums and days, and no number of another letter’s page', async () => {
    const second = letter({ to: ['Sam Ortiz', '9 Oak St', 'Azle, TX 76020'], subject: 'Second' });
    const pages = pagesOf(await drawn(letter(), second));
    expect(pages).toHaveLength(2);
    expect(pages[0]!.split('\n')).toEqual([
      ...letter().from,
      ...letter().to,
      '11/24/2026',
      'Unit A101: $214.50 is past due',
      'Hello Dana,',
      'Please pay.',
      ...['Unit', 'Due', 'Amount'],
      ...['A101', '11/14/2026', '$214.50'],
      ...['Balance', '$214.50'],
    ]);
    expect(pages[1]).toContain('Sam Ortiz');
    expect(pages[1]).not.toContain('Dana Reyes');
  });

  test('are read by a screen reader in their order, and a long one continues before the next begins', async () => {
    const long = letter({ text: 'Please pay what is owed.\n'.repeat(30) });
    const pdf = await drawn(long, letter());
    expect(structureOf(pdf).unmarked).toEqual([]);
    const pages = pagesOf(pdf);
    expect(pages.length).toBe(3);
    expect(pages[2]!.split('\n')[0]).toBe('Eagle Mountain Storage');
  });
});
