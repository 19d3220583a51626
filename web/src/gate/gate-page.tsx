import { calendarDateIn, formatDate, formatTimeIn } from '@gatehouse/contract/dates';
import type { Address } from '@gatehouse/contract/facilities';
import { hoursLabel } from '@gatehouse/contract/gate-access';
import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { rich } from '@gatehouse/language/rich';
import { t } from '@gatehouse/language/t';
import { type ReactNode, useSyncExternalStore } from 'react';
import { brand } from '#brand/brand.ts';
import { BrandMark } from '#brand/mark.tsx';
import { directionsTo } from '#features/facilities/directions.ts';
import type { KeptPass, KeptRental } from '#features/gate-access/kept-pass.ts';
import { buttonClass } from '#ui/button.tsx';
import { cardClass } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icons.tsx';
import { Spinner } from '#ui/spinner.tsx';

/** The kept gate passes, how old they are, and what needs a connection. */
export function GatePage({ passes }: { passes: KeptPass[] }) {
  const isOnline = useSyncExternalStore(followConnection, () => navigator.onLine);
  return (
    <GateFrame>
      <p role="status" className="text-15 text-muted">
        {isOnline ? (
          <span key="online">{t('The portal did not answer yet.')}</span>
        ) : (
          <span key="offline">
            {rich('{lead} Payments, changes and requests have to wait until there is one.', {
              lead: <strong className="font-semibold text-text">{t('No connection.')}</strong>,
            })}
          </span>
        )}
      </p>
      {passes.length === 0 ? (
        <p className={cardClass}>
          {t(
            'No gate pass is kept on this phone, or it has ended. With a connection you see your code in the portal.',
          )}
        </p>
      ) : (
        passes.map((pass) => <Pass key={pass.rentals[0]!.ledgerId} pass={pass} />)
      )}
      {/* What is in the address makes the service worker wait for the answer. */}
      <a href="/?portal" className={buttonClass(passes.length === 0 ? 'primary' : 'secondary')}>
        {t('Open the portal')}
      </a>
    </GateFrame>
  );
}

/** What is around the page, as the build puts it into the HTML. */
export function GateLoading() {
  return (
    <GateFrame>
      <Spinner label={t('Loading…')} />
    </GateFrame>
  );
}

function GateFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-raised">
        <p className="mx-auto flex min-h-12 max-w-md items-center gap-3 px-4 text-17 font-semibold">
          <BrandMark />
          <span>{brand.shortName}</span>
        </p>
      </header>
      <main id="main" className="mx-auto flex w-full max-w-md flex-1 flex-col gap-4 px-4 py-4">
        <h1 className="text-24 font-semibold">{t('Gate pass')}</h1>
        {children}
      </main>
    </div>
  );
}

function Pass({ pass: { asOf, facility, rentals } }: { pass: KeptPass }) {
  const { name, phone, address, timeZone } = facility;
  const seen = new Date(asOf);
  return (
    <section aria-label={name} className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {rentals.map((rental) => (
          <Rental key={rental.ledgerId} rental={rental} />
        ))}
      </ul>
      <p className="text-15 text-muted">
        {t('As of {day}, {time}. A code that was changed since does not open the gate.', {
          day: formatDate(calendarDateIn(timeZone, seen)),
          time: formatTimeIn(timeZone, seen),
        })}
      </p>
      <address className={`${cardClass} not-italic`}>
        <p className="font-semibold">{name}</p>
        <p className="text-15 text-muted">{addressLine(address)}</p>
        <p className="-mb-2 flex flex-wrap gap-x-6">
          {phone !== null && (
            <a href={phoneHref(phone)} className={reach}>
              <Icon name="phone" />
              <span>{formatPhone(phone)}</span>
            </a>
          )}
          <a href={directionsTo(address)} rel="noreferrer" className={reach}>
            <Icon name="directions" />
            {t('Directions')}
          </a>
        </p>
      </address>
    </section>
  );
}

const reach =
  'inline-flex min-h-11 items-center gap-2 font-medium text-brand underline underline-offset-2';

function Rental({ rental: { name, detail, code, hours, endsOn } }: { rental: KeptRental }) {
  return (
    <li className="rounded-card border-t-4 border-transparent on-pass px-4 py-3 first:border-accent">
      <p className="text-17 font-semibold wrap-anywhere">{name}</p>
      <p className="text-15 leading-tight text-muted">{detail}</p>
      <div className="-mr-3 flex flex-wrap items-center gap-x-3">
        <span className="sr-only">{t('Gate code')}</span>
        <span className="text-40 font-semibold tracking-wide tabular-nums">{code}</span>
        <CopyButton text={code} label={t('Copy the gate code of {unit}', { unit: name })} />
      </div>
      <p className="leading-tight">{hoursLabel(hours)}</p>
      <p className="text-15 text-muted tabular-nums">
        {t('Shown until {date}', { date: formatDate(endsOn) })}
      </p>
    </li>
  );
}

function addressLine({ street1, street2, city, region, postalCode }: Address): string {
  return [street1, street2, city, `${region} ${postalCode}`].filter(Boolean).join(', ');
}

function followConnection(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
