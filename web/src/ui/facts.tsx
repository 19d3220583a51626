import { type ReactNode, useId, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';

/** A list of rows, each a label and its value. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="-my-2 divide-y divide-line *:py-2">{children}</dl>
    </div>
  );
}

type FactProps = {
  label: ReactNode;
  /** The value, which is always in sight. */
  children: ReactNode;
  /** More about the value. Where nothing is missing or owed a button opens it, with the action. */
  details?: ReactNode;
  action?: ReactNode;
  id?: string;
  /** What the mark before the label says; undefined while it is unknown. */
  state?: keyof typeof marks | undefined;
};

/**
 * One row of facts, in a list inside of a `@container`: mark, label, value, action. Between 640 and
 * 1024 px the label stands beside the value, else above it.
 */
export function Fact({ label, children, details, action, id, state }: FactProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasMissing, setWasMissing] = useState(false);
  // What was missing stays open when it is done: its action may have a dialog open.
  if (state === 'missing' && !wasMissing) {
    setWasMissing(true);
    setOpen(true);
  }
  const ids = useId();
  const isClosed = state === 'done' || state === 'locked' || state === 'warned';
  const mayFold = isClosed && Boolean(details ?? action);
  const mark = state && marks[state];
  const isBad = mark?.tone === 'text-bad';
  return (
    <div
      id={id}
      className={`relative grid break-inside-avoid grid-cols-[minmax(0,1fr)_auto] content-start items-center gap-x-3 py-1 leading-snug target:-mx-3 target:bg-brand-soft target:px-3 @max-[16rem]:grid-cols-1 sm:max-lg:min-h-12 sm:max-lg:content-center sm:max-lg:grid-cols-[15rem_minmax(0,1fr)_auto] ${wasMissing && state === 'done' ? 'lit' : ''}`}
    >
      <dt
        id={`${ids}-label`}
        className={`col-start-1 row-start-1 flex items-start gap-2.5 text-15 leading-snug text-muted ${mayFold ? chevron : ''}`}
      >
        {mark && <Icon name={mark.icon} className={`size-5 ${mark.tone}`} />}
        <span className="min-w-0">{label}</span>
      </dt>
      <dd className="contents">
        <div
          className={`col-start-1 row-start-2 min-w-0 text-15 leading-snug font-medium sm:max-lg:col-start-2 sm:max-lg:row-start-1 ${state ? indent : ''} ${isBad ? 'text-bad' : ''} ${mayFold ? chevron : ''}`}
        >
          {children}
        </div>
        <div
          id={`${ids}-more`}
          hidden={mayFold && !isOpen}
          className={
            isClosed
              ? `relative z-1 col-span-full row-start-3 mt-1 text-15 text-muted ${indent} sm:max-lg:col-start-2`
              : `col-start-2 row-span-2 row-start-1 empty:hidden @max-[16rem]:col-start-1 @max-[16rem]:row-start-3 sm:max-lg:col-start-3 sm:max-lg:row-span-1`
          }
        >
          {details}
          {action}
        </div>
        {mayFold && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${ids}-more`}
            aria-labelledby={`${ids}-fold ${ids}-label`}
            onClick={() => setOpen(!isOpen)}
            className={`absolute inset-0 flex justify-end rounded-control py-3 ${isOpen ? 'items-start' : 'items-center'}`}
          >
            <span id={`${ids}-fold`} className="sr-only">
              Details of
            </span>
            <Icon
              name="chevron-down"
              className={`size-5 text-muted transition-transform duration-150 ease-out ${isOpen ? 'rotate-180' : ''}`}
            />
          </button>
        )}
      </dd>
    </div>
  );
}

/** As far as the mark and its gap. */
const indent = 'pl-7.5 sm:max-lg:pl-0';

/** Room for the chevron. */
const chevron = 'max-sm:pr-7 lg:pr-7';

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
