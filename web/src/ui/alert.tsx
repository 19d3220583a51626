import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { SpinnerRing } from './spinner.tsx';

export type AlertTone = 'bad' | 'good' | 'warn' | 'info';

type AlertProps = {
  tone: AlertTone;
  children: ReactNode;
  /** Takes focus and comes into view, once: when it appears. */
  focus?: boolean;
  /** Under the message, and not announced. */
  rows?: ReactNode;
  /** It is waited for: a spinner in place of the mark. */
  isWaiting?: boolean;
};

/**
 * A message about what just happened; announced when it appears, and once: what takes the focus is
 * the box around it, which has no name to be read.
 */
export function Alert({ tone, children, focus = false, rows, isWaiting = false }: AlertProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      className={`flex flex-wrap items-start gap-3 rounded-control border border-current/25 px-4 py-3 ${tones[tone].look}`}
    >
      {isWaiting ? (
        <SpinnerRing className="mt-0.5 size-5" />
      ) : (
        <Icon name={tones[tone].icon} className="mt-0.5 size-5" />
      )}
      <div role={tone === 'bad' || tone === 'warn' ? 'alert' : 'status'} className="min-w-0 flex-1">
        {children}
      </div>
      {rows && <div className="basis-full">{rows}</div>}
    </div>
  );
}

type FailureProps = {
  children: ReactNode;
  /** Whether the next attempt is under way. */
  isBusy: boolean;
  focus?: boolean;
};

/**
 * Why the last attempt failed; it comes into view. While the next one is under way it keeps its
 * place unseen: a second press must not meet what moved up. When that fails too, it is announced
 * again.
 */
export function Failure({ children, isBusy, focus = false }: FailureProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isBusy) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isBusy]);
  return (
    <div ref={place} className={isBusy ? 'invisible' : undefined}>
      <Alert key={String(isBusy)} tone="bad" focus={focus && !isBusy}>
        {children}
      </Alert>
    </div>
  );
}

const tones: Record<AlertTone, { look: string; icon: IconName }> = {
  bad: { look: 'bg-bad-soft text-bad', icon: 'alert' },
  good: { look: 'bg-good-soft text-good', icon: 'check-circle' },
  warn: { look: 'bg-warn-soft text-warn', icon: 'alert' },
  info: { look: 'bg-brand-soft text-brand', icon: 'info' },
};
