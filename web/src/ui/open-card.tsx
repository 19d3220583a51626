import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icons.tsx';

type Props = {
  title: string;
  /** What is said while it is closed: how things are, in a few words. Undefined while it loads. */
  summary: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The address of the page with `#id` opens it. */
  id: string;
  /** Something is missing or could not be loaded: it opens, and stays open once that is done. */
  isWanting?: boolean | undefined;
};

/** A card of one line that opens; native, so that find-in-page and the keyboard open it too. */
export function OpenCard({
  title,
  summary,
  description,
  actions,
  children,
  id,
  isWanting = false,
}: Props) {
  const heading = useId();
  const place = useRef<HTMLElement>(null);
  const [isAsked] = useState(() => location.hash === `#${id}`);
  const [wasWanting, setWasWanting] = useState(isWanting);
  if (isWanting && !wasWanting) setWasWanting(true);
  useEffect(() => {
    if (isAsked) place.current?.scrollIntoView();
  }, [isAsked]);
  return (
    <section
      ref={place}
      id={id}
      aria-labelledby={heading}
      className="rounded-card border border-line bg-raised"
    >
      <details open={isAsked || wasWanting} className="group">
        <summary className="flex min-h-12 list-none items-center gap-3 rounded-card px-4 py-3 sm:px-6 [&::-webkit-details-marker]:hidden">
          <span className="flex min-w-0 flex-1 flex-col justify-between gap-x-4 sm:flex-row sm:flex-wrap sm:items-center">
            <h2 id={heading} className="text-17 font-semibold wrap-anywhere">
              {title}
            </h2>
            <span className="min-h-6 min-w-0 text-15 wrap-anywhere text-muted">{summary}</span>
          </span>
          <Icon
            name="chevron-down"
            className="size-5 shrink-0 text-muted transition-transform duration-150 ease-out group-open:rotate-180"
          />
        </summary>
        <div className="border-t border-line p-4 sm:p-6">
          {description !== undefined && <p className="mb-4 text-muted">{description}</p>}
          {children}
          {actions !== undefined && (
            <div className="flex flex-col gap-3 pt-6 sm:flex-row sm:justify-end">{actions}</div>
          )}
        </div>
      </details>
    </section>
  );
}
