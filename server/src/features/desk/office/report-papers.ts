import { formatDate } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { toCents } from '@gatehouse/contract/money';
import {
  MOST_TABLE_ROWS,
  reportTables,
  type getReportPaper,
  type ReportTable,
} from '@gatehouse/contract/office/report-tables';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { within, type Places } from '#db/within.ts';
import { Refusal } from '#errors/refusal.ts';
import type { Cell, Paper } from '#papers/paper.ts';
import { readReportTable, type ReportQuery } from './report-tables.ts';

/** A report as a PDF. Refuses with 422 one of more rows than a table has. */
export async function drawReport(
  ctx: Context,
  query: ReportQuery,
  places: Places,
): Promise<Reply<typeof getReportPaper>> {
  const table = await readReportTable(ctx, query, places);
  if (table.count > MOST_TABLE_ROWS)
    throw new Refusal(422, `A PDF has at most ${MOST_TABLE_ROWS} rows; export this one as CSV.`);
  const { rows } = await sql<{ issuer: string; names: string }>`
    SELECT min(c.name) AS issuer, string_agg(f.location_code, ', ' ORDER BY f.location_code) AS names
    FROM facilities f JOIN corporations c ON c.id = f.corporation_id WHERE ${within(sql`f.id`, places)}`.execute(
    ctx.db,
  );
  const { isOfDays } = reportTables[query.report];
  const days = isOfDays
    ? `${formatDate(query.from!)} to ${formatDate(query.to)}`
    : `As of ${formatDate(query.to)}`;
  const paper = tablePaper(table, { issuer: rows[0]!.issuer, at: ctx.clock.now() }, [
    ['Days', days],
    ['Facilities', rows[0]!.names],
  ]);
  const { drawPaper } = await import('#papers/draw.ts');
  const name = table.title.toLowerCase().replaceAll(' ', '-');
  return {
    fileName: `${name}-${query.to}.pdf`,
    contentType: 'application/pdf',
    data: (await drawPaper(paper)).toString('base64'),
  };
}

/** A table as a wide paper, its totals in the last row. */
function tablePaper(
  { title, columns, rows, totals }: ReportTable,
  { issuer, at }: Pick<Paper, 'issuer' | 'at'>,
  facts: [label: string, value: string][],
): Paper {
  const cellOf = (value: string | number, index: number): Cell => {
    const kind = columns[index]!.kind;
    if (typeof value === 'string')
      return kind === 'day' && value !== '' ? formatDate(value) : value;
    return kind === 'dollars' ? { cents: toCents(value) } : String(value);
  };
  return {
    issuer,
    title,
    at,
    isWide: true,
    blocks: [
      { kind: 'facts', facts },
      {
        kind: 'rows',
        head: columns.map((column) => column.title),
        rows: [
          ...rows.map((row) => ({ cells: row.map(cellOf) })),
          { cells: totals.map(cellOf), look: 'strong' },
        ],
      },
    ],
  };
}
