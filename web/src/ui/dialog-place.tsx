import { Children, type ReactNode, useEffect, useRef } from 'react';

/**
 * Where a row or card has its dialog: apart from the button that opens it, which the dialog's
 * success may take away. The focus, which then has nothing to go back to, goes to the heading of
 * the section around.
 */
export function DialogPlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  /** What had the focus back when the dialog closed. */
  const opener = useRef<Element>(null);
  const isOpen = Children.toArray(children).length > 0;

  useEffect(() => {
    if (!isOpen) return;
    return () => void (opener.current = document.activeElement);
  }, [isOpen]);
  // After every render: what the dialog changed may arrive later, and only then take the opener
  // away.
  useEffect(() => {
    const kept = opener.current;
    if (isOpen || kept === null || (kept !== document.body && kept.isConnected)) return;
    opener.current = null;
    const heading = place.current?.closest('section')?.querySelector<HTMLElement>('h2, h3, h4');
    if (document.activeElement !== document.body || !heading) return;
    heading.tabIndex = -1;
    heading.focus();
  });
  // A row's own alignment and weight end here.
  return (
    <div ref={place} className="text-left font-normal">
      {children}
    </div>
  );
}
