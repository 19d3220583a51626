import { formatDate, lastDayOf } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import { formatMoney } from '@gatehouse/contract/money';
import { getJournal, journalBases, type JournalBasis } from '@gatehouse/contract/office/journal';
import { journalIif } from '@gatehouse/contract/office/journal-iif';
import { journalQbo } from '@gatehouse/contract/office/journal-qbo';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import {
  Box,
  Button,
  Card,
  CardContent,
  MenuItem,
  Skeleton,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableFooter,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { downloadCSV, Title } from 'react-admin';
import { call } from '#api/call.ts';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';
import { ActionButton } from '#parts/action-dialog.tsx';
import { toCsv } from '#parts/csv.ts';
import { Empty } from '#parts/empty.tsx';
import { LoadFailure } from '#parts/failure.tsx';
import { saveFile } from '#parts/save-file.ts';
import { ReportPaperButton } from './report-table.tsx';

type Journal = Reply<typeof getJournal>;

/** The journal of a month for the accountant, by day and account, in several files; its close. */
export function JournalPage() {
  const { me } = useSession();
  const [locationCode] = useFacilityInView();
  const [month, setMonth] = useState(monthBefore(me?.facilities[0]?.today ?? ''));
  const [basis, setBasis] = useState<JournalBasis>('accrual');
  const query = {
    from: `${month}-01`,
    to: lastDayOf(month),
    basis,
    ...(locationCode !== '' && { locationCode }),
  };
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['journal', query],
    enabled: /^\d{4}-\d{2}$/.test(month),
    queryFn: ({ signal }) => call(getJournal, { query }, signal),
  });
  return (
    <Stack sx={{ gap: 2, py: 2 }}>
      <Title title="Journal" />
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <TextField
          type="month"
          fullWidth={false}
          label="Month"
          value={month}
          onChange={({ target }) => setMonth(target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <TextField
          select
          fullWidth={false}
          label="Basis"
          value={basis}
          onChange={({ target }) => setBasis(target.value as JournalBasis)}
        >
          {Object.entries(journalBases).map(([value, label]) => (
            <MenuItem key={value} value={value}>
              <span>{label}</span>
            </MenuItem>
          ))}
        </TextField>
        <ActionButton action={officeVerbs['journal.account']} label="Name an account" />
      </Stack>
      {error && <LoadFailure onTryAgain={refetch}>{error.message}</LoadFailure>}
      {isLoading && <Skeleton variant="rounded" height={240} />}
      {data && (
        <Lines
          journal={data}
          name={`Journal ${month} ${basis}`}
          paper={
            <ReportPaperButton
              report={basis === 'cash' ? 'cashJournal' : 'journal'}
              from={query.from}
              to={query.to}
            />
          }
        />
      )}
      {data && <Closings journal={data} month={month} />}
    </Stack>
  );
}

/** The month before that of a day. */
function monthBefore(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}

function Closings({ journal, month }: { journal: Journal; month: string }) {
  return (
    <Card variant="outlined" component="section" aria-label="Closed months">
      <CardContent>
        <Stack sx={{ gap: 1 }}>
          {journal.facilities.map(({ locationCode, closedThrough }) => (
            <Stack
              key={locationCode}
              direction="row"
              sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}
            >
              <Typography>
                {closedThrough === null
                  ? `${locationCode}: no month is closed.`
                  : `${locationCode}: closed through ${formatDate(closedThrough)}.`}
              </Typography>
              {(closedThrough ?? '') < lastDayOf(month) && (
                <ActionButton
                  action={officeVerbs['journal.close']}
                  label={`Close ${locationCode}`}
                  explanation="With all before it. It never changes again: what is posted later, for whatever day, is on the first open day."
                  given={{ month, locationCode }}
                  inputs="none"
                  defaultValues={{ why: 'End of the month' }}
                />
              )}
            </Stack>
          ))}
        </Stack>
      </CardContent>
    </Card>
  );
}

const columns = {
  day: 'Day',
  locationCode: 'Facility',
  number: 'Number',
  name: 'Account',
  debit: 'Debit',
  credit: 'Credit',
};

type LinesProps = { journal: Journal; name: string; paper: ReactNode };

function Lines({ journal, name, paper }: LinesProps) {
  const { rows, debit, credit } = journal;
  if (rows.length === 0) return <Empty>Nothing was posted in this month.</Empty>;
  const saveQbo = () => {
    const files = journalQbo(rows);
    for (const [index, file] of files.entries()) {
      const part = files.length === 1 ? '' : ` ${index + 1} of ${files.length}`;
      saveText(`${name} QuickBooks Online${part}.csv`, 'text/csv', file);
    }
  };
  const money = (dollars: number) => (dollars === 0 ? '' : formatMoney(dollars));
  return (
    <>
      <Stack direction="row" sx={{ gap: 1 }}>
        <Button
          variant="outlined"
          size="small"
          onClick={() => downloadCSV(toCsv(rows, columns), name)}
        >
          Export CSV
        </Button>
        <Button
          variant="outlined"
          size="small"
          onClick={() => saveText(`${name}.iif`, 'text/plain', journalIif(rows))}
        >
          Export IIF
        </Button>
        <Button variant="outlined" size="small" onClick={saveQbo}>
          Export for QuickBooks Online
        </Button>
        {paper}
      </Stack>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
        <Table
          size="small"
          sx={{ '& .MuiTableCell-root': { px: 1, fontVariantNumeric: 'tabular-nums' } }}
        >
          <TableHead>
            <TableRow>
              {Object.entries(columns).map(([key, title]) => (
                <TableCell key={key} align={key === 'debit' || key === 'credit' ? 'right' : 'left'}>
                  {title}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.id}>
                <TableCell>{formatDate(row.day)}</TableCell>
                <TableCell>{row.locationCode}</TableCell>
                <TableCell>{row.number}</TableCell>
                <TableCell>{row.name}</TableCell>
                <TableCell align="right">{money(row.debit)}</TableCell>
                <TableCell align="right">{money(row.credit)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
          <TableFooter sx={{ '& td': { typography: 'body2', fontWeight: 650 } }}>
            <TableRow>
              <TableCell colSpan={4}>In all</TableCell>
              <TableCell align="right">{formatMoney(debit)}</TableCell>
              <TableCell align="right">{formatMoney(credit)}</TableCell>
            </TableRow>
          </TableFooter>
        </Table>
      </Box>
    </>
  );
}

/** Of bytes, as the file is UTF-8. */
function saveText(fileName: string, contentType: string, text: string): void {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  saveFile({ fileName, contentType, data: btoa(bytes.join('')) });
}
