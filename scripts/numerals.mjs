import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { root } from './setup.mjs';

// Makes web/src/ui/numerals.woff2, the face of money, dates and codes, again: digits and signs of
// Atkinson Hyperlegible Next, whose 1 and 7, 0 and 8, 5 and 6 differ at arm's length.
const face = import.meta
  .resolve('@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2');
const numerals = await subsetFont(readFileSync(new URL(face)), '0123456789$.,/#-()', {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 650 } },
});
writeFileSync(join(root, 'web/src/ui/numerals.woff2'), numerals);
console.log(`web/src/ui/numerals.woff2: ${numerals.length} bytes`);
