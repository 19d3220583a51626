import { t } from '@gatehouse/language/t';
import { type ReactNode, Suspense, useEffect } from 'react';
import { brand } from '#brand/brand.ts';
import { Spinner } from '#ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { usePlace } from './router.tsx';

/** The title of the document, of what is on the page. */
export function titleOf(title: string): string {
  return `${title} · ${brand.shortName}`;
}

/**
 * What every route's screen is in: its document title, its own error page, and focus on its heading
 * on arrival.
 */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  const { key } = usePlace();
  return (
    <ErrorBoundary resetKey={key}>
      <title>{titleOf(title)}</title>
      <Suspense fallback={<Spinner label={t('Loading…')} />}>
        {children}
        <Arrival />
      </Suspense>
    </ErrorBoundary>
  );
}

let arrived = false;

/**
 * Mounted together with the screen: moves focus to its heading, except on the first page, where
 * focus is the browser's.
 */
function Arrival() {
  useEffect(() => {
    if (arrived) focusHeading();
    arrived = true;
  }, []);
  return null;
}

function focusHeading() {
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
