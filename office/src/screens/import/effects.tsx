import { formatMoney } from '@gatehouse/contract/money';
import type { LeasesReport } from '@gatehouse/contract/office/imports';
import {
  Box,
  Button,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { Section } from '#parts/section.tsx';

type Props = { report: LeasesReport; isBusy: boolean; onImport: () => void };

/** What the import does, or did, in dollars, and the button that does it. */
export function Effects({ report, isBusy, onImport }: Props) {
  const { isDone, leases, left, withoutSignIn, balances, firstDays, faults, files } = report;
  const isReady =
    !isDone &&
    leases > 0 &&
    faults.length === 0 &&
    files.every(({ missing }) => missing.length === 0);
  return (
    <Section title={`${leases} leases`} label="What it does">
      <ul>
        {left.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {withoutSignIn.length > 0 && (
          <li>
            {`Without an email, and so without a sign-in and mails (${withoutSignIn.length}): ${withoutSignIn.join(', ')}.`}
          </li>
        )}
      </ul>
      {leases > 0 && balances.length > 0 && (
        <Sums
          title="Balances"
          head={['Facility', 'Before', 'Charged', 'Paid', 'Credited', 'Taken back', 'After']}
          rows={balances.map(({ facility, before, charged, paid, credited, takenBack, after }) => [
            facility,
            ...[before, charged, 0 - paid, 0 - credited, takenBack, after].map(formatMoney),
          ])}
        />
      )}
      {leases > 0 && firstDays.length > 0 && (
        <Sums
          title="What the first day after it does"
          head={[
            ...['Facility', 'Bills', 'Late fees', 'Autopay'],
            ...['Gates suspended', 'Reminders', 'Rate notices'],
          ]}
          rows={firstDays.map((day) => [
            day.facility,
            `${day.bills}, ${formatMoney(day.billed)}`,
            `${day.lateFees}, ${formatMoney(day.lateFeesSum)}`,
            `${day.autopayCharges}, ${formatMoney(day.autopaySum)}`,
            ...[day.suspensions, day.reminders, day.rateNotices].map(String),
          ])}
        />
      )}
      {isReady && (
        <Button variant="contained" loading={isBusy} onClick={onImport}>
          <span>{leases === 1 ? 'Import 1 lease' : `Import ${leases} leases`}</span>
        </Button>
      )}
    </Section>
  );
}

function Sums({ title, head, rows }: { title: string; head: string[]; rows: string[][] }) {
  return (
    <Box sx={{ mb: 2 }}>
      <Typography variant="subtitle1" component="h3">
        {title}
      </Typography>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={title}>
        <Table size="small" sx={{ '& td': { fontVariantNumeric: 'tabular-nums' } }}>
          <TableHead>
            <TableRow>
              {head.map((one, place) => (
                <TableCell key={one} align={place === 0 ? 'left' : 'right'}>
                  {one}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row[0]}>
                {row.map((cell, place) => (
                  <TableCell key={head[place]} align={place === 0 ? 'left' : 'right'}>
                    {cell}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Box>
  );
}
