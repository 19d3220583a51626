import type { ReactNode } from 'react';

export type ChipTone = 'neutral' | 'brand' | 'good' | 'warn' | 'bad';

/** A short word about a thing's state. */
export function Chip({ tone, children }: { tone: ChipTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex max-w-full shrink-0 items-center gap-1 rounded-card px-2.5 py-0.5 text-15 font-medium ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

const tones: Record<ChipTone, string> = {
  neutral: 'bg-surface text-muted border border-line',
  brand: 'bg-brand-soft text-brand',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};
