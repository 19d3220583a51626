import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { balanceSentences, type StaffVerb } from '@gatehouse/contract/staff-verb';
import { Alert, Stack, Table, TableBody, TableCell, TableRow, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Money } from './format.tsx';

type Outcome = { action: { verb?: StaffVerb }; reply: unknown; isDone: boolean };

/** What an action comes to in its own sentences, the gist of it first. */
export function Sentences({ action: { verb }, reply, isDone }: Outcome) {
  const said = verb?.says?.(reply, isDone) ?? (reply as { effects?: string[] }).effects ?? [];
  const warning = verb?.warns?.(reply) ?? null;
  return (
    <Stack sx={{ gap: 1 }}>
      {said.map((sentence, index) => (
        <Typography
          key={index}
          sx={{ fontVariantNumeric: 'tabular-nums', ...(index === 0 && { fontWeight: 650 }) }}
        >
          {sentence}
        </Typography>
      ))}
      {warning !== null && <Alert severity="warning">{warning}</Alert>}
    </Stack>
  );
}

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

type BalancesProps = { ledgers: Parameters<typeof balanceSentences>[0]; isDone: boolean };

/** What each rental that was posted to owes afterwards. */
export function Balances({ ledgers, isDone }: BalancesProps) {
  return (
    <Stack sx={{ gap: 0.5 }}>
      {balanceSentences(ledgers, isDone).map((sentence) => (
        <Typography key={sentence} sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {sentence}
        </Typography>
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
