import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney } from '@gatehouse/contract/money';
import { Chip, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useRecordContext } from 'react-admin';

/** Dollars of a field of the record, right-aligned figures; what is owed in red and with words. */
export function MoneyField({ source, isOwed }: { source: string; isOwed?: boolean }) {
  const value = useRecordContext<Record<string, number | null>>()?.[source];
  if (value === null || value === undefined) return <span>–</span>;
  return <Money value={value} isOwed={isOwed === true} />;
}

/** Dollars; with `isOwed` in red where there is something to owe. */
export function Money({ value, isOwed = false }: { value: number; isOwed?: boolean }) {
  return (
    <Typography
      component="span"
      variant="inherit"
      sx={{
        fontVariantNumeric: 'tabular-nums',
        ...(isOwed && value > 0 && { color: 'error.main', fontWeight: 650 }),
      }}
    >
      {formatMoney(value)}
    </Typography>
  );
}

/** A calendar date of the record as the portal shows it: M/d/yyyy. */
export function DayField({ source, empty = '–' }: { source: string; empty?: string }) {
  const value = useRecordContext<Record<string, string | null>>()?.[source];
  return <span>{value == null ? empty : formatDate(value)}</span>;
}

/** An instant in the reader's own time: M/d/yyyy, h:mm AM. */
export function InstantField({ source }: { source: string }) {
  const value = useRecordContext<Record<string, string | null>>()?.[source];
  return <span>{value == null ? '–' : formatInstant(value)}</span>;
}

const instants = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

export function formatInstant(text: string): string {
  return instants.format(new Date(text));
}

/** A short state with its tone; the words say it, the colour repeats it. */
export function State({
  tone = 'default',
  children,
}: {
  tone?: 'default' | 'success' | 'warning' | 'error';
  children: ReactNode;
}) {
  return <Chip size="small" variant="outlined" color={tone} label={children} />;
}
