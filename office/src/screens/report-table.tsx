import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import {
  getReportPaper,
  getReportTable,
  type ReportName,
  type ReportTable,
} from '@gatehouse/contract/office/report-tables';
import {
  Box,
  Button,
  Skeleton,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableFooter,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { downloadCSV } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { toCsv } from '#parts/csv.ts';
import { Empty } from '#parts/empty.tsx';
import { LoadFailure } from '#parts/failure.tsx';
import { PaperButton } from '#parts/paper-button.tsx';

type Days = { from?: string; to: string };

/** The days and the facility in view as a query. */
function useReportQuery(days: Days) {
  const [locationCode] = useFacilityInView();
  return { ...days, ...(locationCode !== '' && { locationCode }) };
}

/** Saves a report as a PDF to send. */
export function ReportPaperButton({ report, ...days }: Days & { report: ReportName }) {
  const query = useReportQuery(days);
  return (
    <PaperButton
      label="Save PDF"
      read={() => call(getReportPaper, { query: { report, ...query } })}
    />
  );
}

/** A report as a table with totals, CSV and PDF. */
export function TableReport({ report, ...days }: Days & { report: ReportName }) {
  const query = useReportQuery(days);
  const { data, error, refetch } = useQuery({
    queryKey: ['report', report, query],
    queryFn: ({ signal }) => call(getReportTable, { query: { report, ...query } }, signal),
  });
  if (error) return <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>;
  if (!data) return <Skeleton variant="rounded" height={240} />;
  if (data.rows.length === 0) return <Empty>There is nothing to report.</Empty>;
  return (
    <Stack sx={{ gap: 2 }}>
      {data.count > data.rows.length && (
        <Typography>{`The first ${data.rows.length} of ${data.count} rows; choose a facility or fewer days.`}</Typography>
      )}
      <Stack direction="row" sx={{ gap: 1 }}>
        <Button variant="outlined" size="small" onClick={() => saveTable(data)}>
          Export CSV
        </Button>
        <ReportPaperButton report={report} {...days} />
      </Stack>
      <Rows table={data} />
    </Stack>
  );
}

function saveTable({ title, columns, rows, totals }: ReportTable) {
  const keyed = (row: ReportTable['totals']) =>
    Object.fromEntries(row.map((cell, index) => [`c${index}`, cell]));
  const titles = Object.fromEntries(columns.map((column, index) => [`c${index}`, column.title]));
  downloadCSV(toCsv([...rows, totals].map(keyed), titles), title);
}

function Rows({ table: { columns, rows, totals } }: { table: ReportTable }) {
  const cells = (row: ReportTable['totals']) =>
    row.map((cell, index) => {
      const { title, kind } = columns[index]!;
      return (
        <TableCell key={title} align={alignOf(kind)} sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {shown(cell, kind)}
        </TableCell>
      );
    });
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
      <Table size="small" sx={{ '& .MuiTableCell-root': { px: 1 } }}>
        <TableHead>
          <TableRow>
            {columns.map(({ title, kind }) => (
              <TableCell key={title} align={alignOf(kind)}>
                {title}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, index) => (
            <TableRow key={index}>{cells(row)}</TableRow>
          ))}
        </TableBody>
        <TableFooter sx={{ '& td': { typography: 'body2', fontWeight: 650 } }}>
          <TableRow>{cells(totals)}</TableRow>
        </TableFooter>
      </Table>
    </Box>
  );
}

type Kind = ReportTable['columns'][number]['kind'];
const alignOf = (kind: Kind) => (kind === 'dollars' || kind === 'count' ? 'right' : 'left');

function shown(cell: string | number, kind: Kind): string {
  if (typeof cell === 'number') return kind === 'dollars' ? formatMoney(cell) : String(cell);
  return kind === 'day' && cell !== '' ? formatDate(cell) : cell;
}
