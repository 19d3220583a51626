import { t } from '@gatehouse/language/t';
import { useEffect, useRef } from 'react';
import { notedPayment } from '#api/sent-payment.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Horizon } from '#ui/horizon.tsx';
import { LoadError } from '#ui/lazy-part.tsx';

/** What the error page shows. */
type Fault = { status: number; statusText: string; message: string };

/**
 * The error page of every route: message, status number, status text, the way home; and another
 * attempt where that may help. After a payment was sent the heading is what became of that, and the
 * message is below it.
 */
export function ErrorPage({
  status,
  statusText,
  message,
  onTryAgain,
  onGoBack,
}: Fault & { onTryAgain?: () => void; onGoBack?: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const payment = notedPayment();
  // A payment is not sent again: what became of it is what matters.
  const retry = onTryAgain ?? (status === 500 && !payment ? () => location.reload() : undefined);
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-12 text-center">
      {/* The visitors' frame has one of its own. */}
      <Horizon className="mb-4 in-data-visitor:hidden" />
      <p className="text-17 font-medium text-muted">
        <span className="tabular-nums">{status}</span> <span>{statusText}</span>
      </p>
      <h1 ref={heading} tabIndex={-1} className="text-24 font-semibold">
        {payment ?? message}
      </h1>
      {payment && <p>{message}</p>}
      {!payment && wayOn[status] && <p className="text-muted">{wayOn[status]}</p>}
      <p className="mt-4 flex flex-wrap justify-center gap-3">
        {retry && <Button onClick={retry}>{t('Try again')}</Button>}
        {onGoBack && (
          <Button variant="secondary" onClick={onGoBack}>
            {t('Go back')}
          </Button>
        )}
        {/* After an error the page is reloaded: its code may be the previous version's. */}
        <a
          href="/"
          target={status === 404 ? undefined : '_self'}
          className={buttonClass(retry ? 'secondary' : 'primary')}
        >
          {t('Return Home')}
        </a>
      </p>
    </div>
  );
}

/** What helps, by the status. */
const wayOn: Record<number, string> = {
  404: t('The address may be mistyped, or the page may have moved.'),
  500: t('Try again. If it stays like this, please call your facility.'),
};

export function NotFound() {
  return (
    <ErrorPage
      status={404}
      statusText={t('Not Found')}
      message={t('We could not find that page.')}
      {...(history.length > 1 && { onGoBack: () => history.back() })}
    />
  );
}

/** What is thrown, as the error page shows it: the details of a bug do not help a tenant. */
export function faultOf(error: unknown): Fault {
  return error instanceof LoadError ? unavailable : broken;
}

const unavailable = {
  status: 503,
  statusText: t('Service Unavailable'),
  message: t('This page could not be loaded. Check your connection and try again.'),
};

const broken = {
  status: 500,
  statusText: t('Application Error'),
  message: t('Something went wrong while showing this page.'),
};
