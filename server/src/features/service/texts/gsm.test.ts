import { expect, test } from 'vitest';
import { cutTo, toGsm } from './gsm.ts';

test.each([
  ['Anchor & Axle – Boat’s “Best”…', `Anchor & Axle - Boat's "Best"...`],
  ['Café Señor Łódź', 'Café Señor odz'],
  ['RV 🚐 Park', 'RV  Park'],
  ['Cafe\u0301', 'Café'],
])('%s is written in basic characters: %s', (text, written) => {
  expect(toGsm(text)).toBe(written);
});

test.each([
  ['Anchor & Axle Fort Worth', 30, 'Anchor & Axle Fort Worth'],
  ['Anchor & Axle Fort Worth', 18, 'Anchor & Axle Fort'],
  ['Anchor & Axle Fort Worth', 9, 'Anchor'],
  ['Supercalifragilistic', 9, 'Supercali'],
])('%s is cut to %i characters: %s', (text, most, cut) => {
  expect(cutTo(text, most)).toBe(cut);
});
