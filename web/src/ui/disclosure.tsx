import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

type DisclosureProps = {
  summary: ReactNode;
  children: ReactNode;
  defaultOpen?: boolean;
  id?: string;
};

/**
 * Opens and closes what is under its summary line; native, so it works with the keyboard and with
 * find-in-page.
 */
export function Disclosure({ summary, children, defaultOpen = false, id }: DisclosureProps) {
  return (
    <details id={id} open={defaultOpen} className="group">
      <summary className="flex min-h-11 list-none items-center gap-3 rounded-control py-1 sm:min-h-12 sm:py-2 [&::-webkit-details-marker]:hidden">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          {summary}
        </span>
        <Icon
          name="chevron-down"
          className="size-5 text-muted transition-transform duration-150 ease-out group-open:rotate-180"
        />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}
