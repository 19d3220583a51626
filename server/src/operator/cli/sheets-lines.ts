import { writeFile } from 'node:fs/promises';
import { StartFault } from '#errors/start-fault.ts';
import { writingFault } from '#operator/imports/folder-faults.ts';
import type { SheetsResult } from '#operator/imports/sheets/import-sheets.ts';
import { leftLines } from '#operator/imports/sheets/left-lines.ts';
import { columnsOf } from './columns.ts';

const MOST_NAMES = 20;

/** How lease sheets were understood, and what is wrong with them, line by line. */
export function sheetsLines({
  files,
  leases,
  left,
  withoutSignIn,
  faults,
}: SheetsResult): string[] {
  const lines: string[] = [];
  for (const { file, rows, columns, missing } of files) {
    lines.push(`${file}: ${rows} rows`, '');
    const table = [
      ['column', 'is', 'by', 'rows', 'values'],
      ...columns.map(({ heading, field, by, filled, samples }) => [
        heading || '(no heading)',
        field ?? (by === 'unknown' ? 'not understood' : 'left out'),
        by === 'unknown' ? '' : by,
        String(filled),
        samples.join(' · '),
      ]),
    ];
    lines.push(...columnsOf(table, 3), '');
    if (missing.length > 0)
      lines.push(
        `No column has ${missing.join(', nor ')}. Say which one does, as --column "Its Heading=balance".`,
        '',
      );
  }
  for (const { says, heading, count, first, remedies } of faults) {
    lines.push(`${count} × ${heading === null ? '' : `${heading}: `}${says}`);
    for (const { file, line, value, tenant, unit } of first)
      lines.push(`  ${[`${file}, row ${line}`, tenant, unit, value].filter(Boolean).join(' · ')}`);
    for (const { remedy, says: does } of remedies) lines.push(`  --remedy ${remedy}: ${does}`);
    lines.push('');
  }
  lines.push(`${leases} leases were understood.`, ...leftLines(left));
  if (withoutSignIn.length > 0) {
    const more = withoutSignIn.length - MOST_NAMES;
    lines.push(
      `Without an email, and so without a sign-in and mails (${withoutSignIn.length}): ` +
        `${withoutSignIn.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    );
  }
  return [...lines, ''];
}

/** For the operator's eyes only. Throws a StartFault where the file cannot be written. */
export async function writeFaultyRows(path: string, { faultyRows }: SheetsResult): Promise<void> {
  try {
    await writeFile(path, `\uFEFF${faultyRows}`, { mode: 0o600 });
  } catch (error) {
    throw writingFault(error, path) ?? new StartFault(`${path} cannot be written.`);
  }
}
