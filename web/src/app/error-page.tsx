import { useEffect, useRef } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { RouteError, routeErrorOf } from './route-error.ts';

/** The error page of every route (spec section 2): message, status number, status text, the way home. */
export function ErrorPage({ error }: { error: unknown }) {
  const { message, status, statusText } = routeErrorOf(error);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-12 text-center">
      <p className="text-17 font-medium text-muted">
        <span className="tabular-nums">{status}</span> {statusText}
      </p>
      <h1 ref={heading} tabIndex={-1} className="text-24 font-semibold">
        {message}
      </h1>
      {/* After an error the page is reloaded: its code may be the previous version's. */}
      <a href="/" target={status === 404 ? undefined : '_self'} className={buttonClass('primary', 'mt-4')}>
        Return Home
      </a>
    </div>
  );
}

const notFound = new RouteError(404, 'Not Found', 'We could not find that page.');

export function NotFound() {
  return <ErrorPage error={notFound} />;
}
