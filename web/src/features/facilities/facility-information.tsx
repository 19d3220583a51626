import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { t } from '@gatehouse/language/t';
import type { ReactNode } from 'react';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { Icon, type IconName } from '#ui/icons.tsx';
import { cardClass } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { directionsTo } from './directions.ts';

/** Where the tenant rents, and how to reach it. */
export function FacilityInformation() {
  const load = useGetFacilityQuery();
  return (
    <section
      aria-labelledby="facility"
      className={`${cardClass} max-sm:flex max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-3! max-sm:pt-1! max-sm:pb-3!`}
    >
      <h2
        id="facility"
        className="flex min-h-11 items-center text-15 text-muted max-sm:flex-1 sm:min-h-0 sm:text-17 sm:font-semibold sm:text-text"
      >
        {t('Facility Information')}
      </h2>
      <Loadable
        load={load}
        failure={t('The facility information could not be loaded.')}
        skeleton="h-9 max-sm:basis-full sm:mt-2 sm:h-18"
      >
        {({ name, address, email, phone }) => (
          <address className="flex-wrap items-end justify-between gap-x-6 not-italic max-sm:contents sm:mt-2 sm:flex">
            <div className="max-w-full max-sm:order-1 max-sm:-mt-1 max-sm:basis-full">
              <p className="font-semibold break-words sm:font-medium">{name}</p>
              <p className={line}>{address.street1}</p>
              {address.street2 !== null && <p className={line}>{address.street2}</p>}
              <p className="text-15 text-muted max-sm:inline">{`${address.city}, ${address.region} ${address.postalCode}`}</p>
            </div>
            <div className="flex max-w-full gap-2 sm:-mb-2.5 sm:flex-wrap sm:gap-x-6 sm:gap-y-0">
              {email !== null && (
                <Reach icon="mail" href={`mailto:${email}`}>
                  {email}
                </Reach>
              )}
              {phone !== null && (
                <Reach icon="phone" href={phoneHref(phone)}>
                  {formatPhone(phone)}
                </Reach>
              )}
              <Reach icon="directions" href={directionsTo(address)}>
                {t('Directions')}
              </Reach>
            </div>
          </address>
        )}
      </Loadable>
    </section>
  );
}

/** On phones the address is one text. */
const line = "text-15 text-muted max-sm:inline max-sm:after:content-[',_']";

/** A round button on phones, a link with its text where there is room. */
function Reach({ icon, href, children }: { icon: IconName; href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      rel="noreferrer"
      className="inline-flex size-11 min-w-0 items-center justify-center gap-2 text-brand max-sm:rounded-full max-sm:bg-brand-soft max-sm:bg-clip-content max-sm:p-1 sm:size-auto sm:min-h-11 sm:justify-start"
    >
      <Icon name={icon} />
      <span className="wrap-anywhere max-sm:sr-only sm:font-medium sm:underline sm:underline-offset-2">
        {children}
      </span>
    </a>
  );
}
