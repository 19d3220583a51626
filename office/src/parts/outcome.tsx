import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { Stack, Table, TableBody, TableCell, TableRow, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Money } from './format.tsx';

/** Lines of a bill or settlement with their sums; below 0 in the tenant's favour. */
export function Lines({ lines }: { lines: { label: ReactNode; amount: number }[] }) {
  return (
    <Table size="small">
      <TableBody>
        {lines.map(({ label, amount }, index) => (
          <TableRow key={index}>
            <TableCell>{label}</TableCell>
            <TableCell align="right">
              <Money value={amount} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

type Touched = { ledgerId: string; unitName: string; balance: number };

/** What each rental that was posted to owes afterwards. */
export function Balances({ ledgers, isDone }: { ledgers: Touched[]; isDone: boolean }) {
  return (
    <Stack sx={{ gap: 0.5 }}>
      {ledgers.map(({ ledgerId, unitName, balance }) => (
        <Typography
          key={ledgerId}
          sx={{ fontVariantNumeric: 'tabular-nums' }}
        >{`${unitName} ${isDone ? 'owes' : 'will owe'} ${formatMoney(Math.max(0, balance))}${balance < 0 ? `, with a credit of ${formatMoney(-balance)}` : ''}.`}</Typography>
      ))}
    </Stack>
  );
}

/** A sum with its words, such as `Total: $46.67`. */
export function Sum({ label, value }: { label: string; value: number }) {
  return (
    <Typography
      sx={{ fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}
    >{`${label}: ${formatMoney(value)}`}</Typography>
  );
}

/** `12/1/2026`, or a dash where there is no day. */
export function day(date: string | null | undefined): string {
  return date == null ? '–' : formatDate(date);
}
