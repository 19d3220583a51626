import { Children, type ReactNode, useEffect, useRef } from 'react';

/**
 * Where a row or card has its dialog: apart from the button that opens it, which the dialog's success may take away.
 * The focus, which then has nothing to go back to, goes to the heading of the section around.
 */
export function DialogPlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const isOpen = Children.toArray(children).length > 0;

  useEffect(() => {
    const heading = place.current?.closest('section')?.querySelector<HTMLElement>('h2, h3');
    if (!isOpen || !heading) return;
    return () => {
      if (document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus();
    };
  }, [isOpen]);
  // A row's own alignment and weight end here.
  return (
    <div ref={place} className="text-left font-normal">
      {children}
    </div>
  );
}
