import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** A list of rows, each a label and its value. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="@container -my-2 divide-y divide-line">{children}</dl>;
}

type FactProps = {
  label: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  id?: string;
  /** Required and not there yet: shown with an icon and in `bad`, so that the eye finds it first. */
  missing?: boolean;
};

/** One row of facts. On phones its action wraps under the value, never under the label. */
export function Fact({ label, children, action, id, missing = false }: FactProps) {
  return (
    <div
      id={id}
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center sm:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] gap-x-4 py-2 @max-[17.5rem]:grid-cols-1 target:-mx-3 target:bg-brand-soft target:px-3"
    >
      <dt className="self-start py-2.5 text-muted @max-[17.5rem]:pb-0">{label}</dt>
      <dd className="flex flex-wrap items-center justify-end gap-x-2 text-right font-medium @max-[17.5rem]:justify-start @max-[17.5rem]:gap-x-5 @max-[17.5rem]:text-left">
        {/* One element for both, so that a dialog in it outlives the success that takes `missing` away. */}
        <div className={missing ? 'inline-flex items-start gap-1.5 py-2.5 text-bad' : 'min-w-0 py-2.5'}>
          {missing && <Icon name="alert" className="mt-0.25 size-5" />}
          <div className="min-w-0">{children}</div>
        </div>
        {action !== undefined && <div className="-mr-3 @max-[17.5rem]:-ml-3">{action}</div>}
      </dd>
    </div>
  );
}
