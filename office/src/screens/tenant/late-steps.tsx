import { formatMoney } from '@gatehouse/contract/money';
import type { LateStep } from '@gatehouse/contract/office/tenants';
import { Box, Button, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { day } from '#parts/outcome.tsx';

/** The most steps that are shown at once. */
const MOST = 8;

/** The steps about what a rental owes on a line of time; of a long one the first are folded. */
export function LateSteps({ unitName, steps }: { unitName: string; steps: LateStep[] }) {
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLElement>(null);
  if (steps.length === 0) return null;
  const folded = isWhole ? 0 : Math.max(0, steps.length - MOST);
  /** The button goes: the focus stays at the steps. */
  function unfold() {
    flushSync(() => setWhole(true));
    list.current?.focus();
  }
  return (
    <Box sx={{ mt: 2 }}>
      {folded > 0 && (
        <Button size="small" onClick={unfold}>
          <span>{folded === 1 ? 'Show 1 earlier step' : `Show ${folded} earlier steps`}</span>
        </Button>
      )}
      <Box
        component="ol"
        ref={list}
        tabIndex={-1}
        aria-label={`Late steps of ${unitName}`}
        sx={{
          m: 0,
          p: 0,
          display: 'grid',
          rowGap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(150px, 50%), 1fr))',
        }}
      >
        {steps.slice(folded).map((step, index) => (
          <Step key={index} step={step} />
        ))}
      </Box>
    </Box>
  );
}

function Step({ step }: { step: LateStep }) {
  const { kind, on, isDone, amount } = step;
  const [done, toCome] = words[kind];
  return (
    <Box
      component="li"
      sx={{
        listStyle: 'none',
        borderTop: isDone ? '3px solid' : '3px dashed',
        borderColor: isDone ? 'primary.main' : 'text.secondary',
        pt: 0.5,
        pr: 1,
      }}
    >
      <Typography variant="body2" color="text.secondary">
        {isDone ? 'Done' : 'To come'}
      </Typography>
      <Typography variant="body2">
        {`${isDone ? done : toCome}${amount === null ? '' : `, ${formatMoney(amount)}`}`}
      </Typography>
      {on !== null && (
        <Typography variant="body2" sx={{ fontWeight: 650 }}>
          {dayWords(step, on)}
        </Typography>
      )}
    </Box>
  );
}

function dayWords({ kind, isDone }: LateStep, on: string): string {
  if (kind === 'gate' && isDone) return `since ${day(on)}`;
  if (kind === 'letter' && !isDone) return `from ${day(on)}`;
  return day(on);
}

/** What each step is called once it is done, and before. */
const words: Record<LateStep['kind'], [done: string, toCome: string]> = {
  reminder: ['Reminder sent', 'Reminder goes out'],
  due: ['Due', 'Due'],
  fee: ['Late fee added', 'Late fee will be added'],
  gate: ['Gate locked', 'Gate locks'],
  notice: ['Late notice mailed', 'Late notice'],
  letter: ['Letter printed', 'Notice or letter may be sent'],
};
