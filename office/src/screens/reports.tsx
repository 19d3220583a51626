import { formatMonth } from '@gatehouse/contract/dates';
import type { Reply as EndpointReply } from '@gatehouse/contract/endpoint';
import { formatMoney } from '@gatehouse/contract/money';
import { getAging, getOccupancy, getRevenue } from '@gatehouse/contract/office/reports';
import { reportTables } from '@gatehouse/contract/office/report-tables';
import {
  Box,
  Button,
  Skeleton,
  Stack,
  Tab,
  Table,
  TableBody,
  TableCell,
  TableFooter,
  TableHead,
  TableRow,
  Tabs,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DataTable, downloadCSV, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';
import { Chart } from '#parts/chart.tsx';
import { toCsv } from '#parts/csv.ts';
import { Empty } from '#parts/empty.tsx';
import { LoadFailure } from '#parts/failure.tsx';
import { DayField, MoneyField } from '#parts/format.tsx';
import { OfficeList } from '#parts/list.tsx';
import { tenantPage } from '#parts/tenant-page.ts';
import { ReportPaperButton, TableReport } from './report-table.tsx';

const kinds = {
  rentRoll: 'Rent roll',
  aging: 'Aging',
  occupancy: 'Occupancy',
  revenue: 'Revenue',
  taxes: 'Tax due',
  payouts: 'Payouts',
  writeOffs: 'Write-offs',
  prepaid: 'Paid in advance',
  rateChanges: 'Rent changes',
  autopay: 'Autopay',
};
type Kind = keyof typeof kinds;

/** Reports from the books as of any day: table, chart, CSV. */
export function Reports() {
  const { me } = useSession();
  const today = me?.facilities[0]?.today ?? '';
  const [kind, setKind] = useState<Kind>('rentRoll');
  const [asOf, setAsOf] = useState(today);
  const [from, setFrom] = useState(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`);
  const { isOfDays } = reportTables[kind];
  const days = { to: kind === 'autopay' ? today : asOf, ...(isOfDays && { from }) };
  return (
    <Stack sx={{ gap: 2, py: 2 }}>
      <Title title="Reports" />
      <Tabs
        value={kind}
        onChange={(_, next: Kind) => setKind(next)}
        variant="scrollable"
        allowScrollButtonsMobile
      >
        {Object.entries(kinds).map(([value, label]) => (
          <Tab key={value} value={value} label={label} />
        ))}
      </Tabs>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        {isOfDays && <Day label="From" value={from} onChange={setFrom} />}
        {kind !== 'autopay' && (
          <Day label={isOfDays ? 'To' : 'As of'} value={asOf} onChange={setAsOf} />
        )}
        {(kind === 'rentRoll' ||
          kind === 'aging' ||
          kind === 'occupancy' ||
          kind === 'revenue') && <ReportPaperButton report={kind} {...days} />}
      </Stack>
      {kind === 'rentRoll' && <RentRoll key={asOf} asOf={asOf} />}
      {kind === 'aging' && <Aging asOf={asOf} />}
      {kind === 'occupancy' && <Occupancy asOf={asOf} />}
      {kind === 'revenue' && <Revenue from={from} to={asOf} />}
      {(kind === 'taxes' ||
        kind === 'payouts' ||
        kind === 'writeOffs' ||
        kind === 'prepaid' ||
        kind === 'rateChanges' ||
        kind === 'autopay') && <TableReport report={kind} {...days} />}
    </Stack>
  );
}

type DayProps = { label: string; value: string; onChange: (day: string) => void };

function Day({ label, value, onChange }: DayProps) {
  return (
    <TextField
      type="date"
      fullWidth={false}
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

function RentRoll({ asOf }: { asOf: string }) {
  return (
    <OfficeList
      resource="rent-roll"
      isInner
      title=" "
      filter={{ asOf }}
      empty="Nobody rented anything on this day."
      sort={{ field: 'unit', order: 'ASC' }}
      rowClick={tenantPage}
      exportAs="Rent roll"
    >
      <DataTable.Col source="unitName" label="Unit" disableSort />
      <DataTable.Col source="tenantName" label="Tenant" disableSort />
      <DataTable.Col source="movedInOn" label="Since" disableSort field={DayField} />
      <DataTable.Col source="rate" label="Rent" align="right" disableSort field={MoneyField} />
      <DataTable.Col source="balance" label="Balance" align="right" disableSort>
        <MoneyField source="balance" isOwed />
      </DataTable.Col>
      <DataTable.Col source="locationCode" label="Facility" disableSort />
    </OfficeList>
  );
}

/** The facility in view as a query. */
function useLocationQuery(): { locationCode?: string } {
  const [locationCode] = useFacilityInView();
  return locationCode === '' ? {} : { locationCode };
}

function Aging({ asOf }: { asOf: string }) {
  const place = useLocationQuery();
  const query = useQuery({
    queryKey: ['aging', asOf, place],
    queryFn: ({ signal }) => call(getAging, { query: { asOf, ...place } }, signal),
  });
  return (
    <Report
      {...query}
      name="aging"
      columns={{ locationCode: 'Facility', bucket: 'Days owed', rentals: 'Rentals', owed: 'Owed' }}
      money={['owed']}
      sentence={query.data && `${formatMoney(query.data.owed)} is owed in all.`}
      chart={query.data && { label: 'bucket', value: 'owed', isMoney: true }}
    />
  );
}

function Occupancy({ asOf }: { asOf: string }) {
  const place = useLocationQuery();
  const query = useQuery({
    queryKey: ['occupancy', asOf, place],
    queryFn: ({ signal }) => call(getOccupancy, { query: { asOf, ...place } }, signal),
  });
  const { units = 0, occupied = 0, outOfService = 0, rent = 0 } = query.data ?? {};
  return (
    <Report
      {...query}
      name="occupancy"
      columns={{
        locationCode: 'Facility',
        widthFeet: 'Width',
        lengthFeet: 'Length',
        units: 'Units',
        occupied: 'Occupied',
        outOfService: 'Out of service',
        rent: 'Rent a month',
      }}
      money={['rent']}
      sentence={
        query.data &&
        `${occupied} of ${units} units are occupied, for ${formatMoney(rent)} a month, and ${outOfService} out of service.`
      }
      chart={query.data && { label: 'id', value: 'occupied', isMoney: false }}
    />
  );
}

type RevenueKind = EndpointReply<typeof getRevenue>['rows'][number]['kind'];
const revenueKinds: Record<RevenueKind, string> = {
  rent: 'Rent',
  service: 'Service',
  insurance: 'Insurance',
  fee: 'Fees',
  deposit: 'Deposits',
  credit: 'Credits',
  payment: 'Payments',
};

function Revenue({ from, to }: { from: string; to: string }) {
  const place = useLocationQuery();
  const query = useQuery({
    queryKey: ['revenue', from, to, place],
    queryFn: ({ signal }) => call(getRevenue, { query: { from, to, ...place } }, signal),
  });
  return (
    <Report
      {...query}
      name="revenue"
      columns={{
        locationCode: 'Facility',
        month: 'Month',
        kind: 'Kind',
        charged: 'Charged',
        net: 'Without tax',
        waived: 'Waived',
        writtenOff: 'Written off',
        tax1: 'Tax 1',
        tax2: 'Tax 2',
        credited: 'Credited',
        taken: 'Taken',
        back: 'Given back',
      }}
      money={[
        'charged',
        'net',
        'waived',
        'writtenOff',
        'tax1',
        'tax2',
        'credited',
        'taken',
        'back',
      ]}
      words={{ month: formatMonth, kind: (kind) => revenueKinds[kind as RevenueKind] }}
      totals={query.data?.totals}
      chart={query.data && { label: 'month', value: 'taken', isMoney: true }}
    />
  );
}

/** A dash for nothing: a row has sums in a few columns only. */
function sumOrDash(sum: number): string {
  return sum === 0 ? '–' : formatMoney(sum);
}

function inWords(row: Row, words: Record<string, (value: string) => string>) {
  return Object.fromEntries(
    Object.entries(words).map(([column, inWord]) => [column, inWord(String(row[column]))]),
  );
}

type Row = { id: string } & Record<string, string | number>;
type ReportProps = {
  /** Of the file that is exported. */
  name: string;
  data: { rows: Row[] } | undefined;
  error: Error | null;
  refetch: () => unknown;
  columns: Record<string, string>;
  /** The columns that are dollars. */
  money: string[];
  /** How the text of a column is shown, where it is kept in another way. */
  words?: Record<string, (value: string) => string>;
  sentence?: ReactNode;
  /** What the rows come to, by column. */
  totals?: Record<string, number> | undefined;
  chart?: { label: string; value: string; isMoney: boolean } | undefined;
};

function Report(props: ReportProps) {
  const { name, data, error, refetch, columns, money, words = {}, sentence, totals, chart } = props;
  if (error) return <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>;
  if (!data) return <Skeleton variant="rounded" height={240} />;
  if (data.rows.length === 0) return <Empty>There is nothing to report.</Empty>;
  const shown = data.rows.map((row) => ({ ...row, ...inWords(row, words) }));
  const isNumber = (column: string) => typeof data.rows[0]?.[column] === 'number';
  const cells = (row: Partial<Row>) =>
    Object.keys(columns).map((column) => (
      <TableCell
        key={column}
        align={isNumber(column) ? 'right' : 'left'}
        sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >
        {money.includes(column) ? sumOrDash(Number(row[column])) : row[column]}
      </TableCell>
    ));
  return (
    <Stack sx={{ gap: 2 }}>
      {sentence !== undefined && <Typography aria-live="polite">{sentence}</Typography>}
      {chart && <Chart rows={shown} {...chart} />}
      <Button
        variant="outlined"
        sx={{ alignSelf: 'flex-start' }}
        onClick={() => downloadCSV(toCsv(data.rows, columns), name)}
      >
        Export CSV
      </Button>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
        <Table size="small" sx={{ '& .MuiTableCell-root': { px: 1 } }}>
          <TableHead>
            <TableRow>
              {Object.entries(columns).map(([column, title]) => (
                <TableCell
                  key={column}
                  align={isNumber(column) ? 'right' : 'left'}
                  sx={{ whiteSpace: 'nowrap' }}
                >
                  {title}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((row) => (
              <TableRow key={row.id}>{cells(row)}</TableRow>
            ))}
          </TableBody>
          {totals && (
            <TableFooter sx={{ '& td': { typography: 'body2', fontWeight: 650 } }}>
              <TableRow>{cells({ locationCode: 'In all', ...totals })}</TableRow>
            </TableFooter>
          )}
        </Table>
      </Box>
    </Stack>
  );
}
