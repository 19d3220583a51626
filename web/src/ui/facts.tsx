import { type ReactNode, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { Lit } from './lit.tsx';

/** A list of rows, each a label and its value. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="-my-2 *:py-2">{children}</dl>
    </div>
  );
}

type FactProps = {
  label: ReactNode;
  /** The value, which is always in sight. */
  children: ReactNode;
  /** More about the value. Where nothing is missing or owed the card opens it, with the action. */
  details?: ReactNode;
  action?: ReactNode;
  /** What is under way, under all else. */
  pending?: ReactNode;
  id?: string;
  /** What the mark before the label says; undefined while it is unknown. */
  state?: keyof typeof marks | undefined;
  /** The value as it is saved: where it changes, the row lights up. */
  saved?: string | number | undefined;
};

/**
 * One row of facts, in a list inside of a `@container`: mark, label, value, action. On a phone the
 * value follows its label, on the same line where there is room; between 640 and 1024 px it is next
 * to the label, above that under it. What is done has more to open in a card that is a `group/card`
 * with `data-open`.
 */
export function Fact({ label, children, details, action, pending, id, state, saved }: FactProps) {
  const [wasMissing, setWasMissing] = useState(false);
  // What was missing stays open when it is done: its action may have a dialog open.
  if (state === 'missing' && !wasMissing) setWasMissing(true);
  const isClosed = state === 'done' || state === 'locked' || state === 'warned';
  const isFolded = isClosed && !wasMissing && Boolean(details || action);
  const mark = state && marks[state];
  return (
    <div
      id={id}
      className={`fact target:-mx-3 target:bg-brand-soft target:px-3 ${isClosed ? 'closed' : action ? 'beside' : ''}`}
    >
      <dt>
        {mark && <Icon name={mark.icon} className={`size-5 ${mark.tone}`} />}
        <span>{label}</span>
      </dt>{' '}
      <dd>
        <Lit value={saved} />
        <div className={`value ${mark?.tone === 'text-bad' ? 'text-bad' : ''}`}>{children}</div>
        <div
          className={`more ${isClosed ? `${action ? '-mb-2' : ''} font-normal text-muted ${isFolded ? 'hidden group-data-open/card:block' : ''}` : ''}`}
        >
          {details}
          {action}
        </div>
        {pending}
      </dd>
    </div>
  );
}

const marks = {
  done: { icon: 'check-circle', tone: 'text-good' },
  /** Done, and something keeps it from its work. */
  warned: { icon: 'alert', tone: 'text-warn' },
  missing: { icon: 'alert', tone: 'text-bad' },
  owed: { icon: 'alert', tone: 'text-bad' },
  locked: { icon: 'lock', tone: 'text-bad' },
  /** Loading, or neither of them. */
  none: { icon: 'info', tone: 'text-muted' },
} satisfies Record<string, { icon: IconName; tone: string }>;
