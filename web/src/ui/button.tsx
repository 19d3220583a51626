import type { ComponentProps, MouseEvent } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { SpinnerRing } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'soft' | 'quiet' | 'danger';

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  /**
   * Shows that the action is under way: the label and the width stay, clicks do nothing, focus is
   * kept.
   */
  busy?: boolean;
  /** Stands before the label; while busy the spinner takes its place. */
  icon?: IconName;
};

export function Button({
  variant = 'primary',
  busy = false,
  icon,
  className,
  onClick,
  children,
  ...props
}: ButtonProps) {
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type="button"
      {...props}
      className={buttonClass(variant, className)}
      onClick={click}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
    >
      <span className="relative inline-flex items-center justify-center gap-2">
        {icon && !busy && <Icon name={icon} className="size-4.5" />}
        {busy && (
          <SpinnerRing className={icon ? 'size-4.5' : 'absolute right-full mr-1.5 size-4'} />
        )}
        <span>{children}</span>
      </span>
    </button>
  );
}

const shape =
  'inline-flex items-center justify-center gap-2 rounded-control text-15 font-medium text-center select-none ' +
  'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress';

const variants: Record<ButtonVariant, string> = {
  primary:
    'min-h-12 px-7 border border-transparent bg-action text-action-ink hover:bg-action-strong',
  secondary: 'min-h-12 px-7 border border-control bg-raised text-text hover:bg-surface',
  /** The action of a row. */
  soft: 'min-h-11 px-3 bg-brand-soft text-brand hover:text-brand-strong min-w-21',
  quiet: 'min-h-11 px-3 text-brand hover:bg-brand-soft hover:text-brand-strong',
  danger: 'min-h-12 px-7 border border-bad text-bad hover:bg-bad-soft',
};

/** The look of a button, for links that act as one. */
export function buttonClass(variant: ButtonVariant = 'primary', extra = ''): string {
  return `${shape} ${variants[variant]} ${extra}`;
}
