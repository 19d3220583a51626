import { formatPhone, phoneHref } from '@gatehouse/contract/phone';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { Card } from '#ui/card.tsx';
import { Loadable } from '#ui/loadable.tsx';

/** Where the tenant rents, and how to reach it (spec section 2, My Units). */
export function FacilityInformation() {
  const load = useGetFacilityQuery();
  return (
    <Card title="Facility Information">
      <Loadable
        load={load}
        failure="The facility information could not be loaded."
        skeleton="h-42 w-64 max-w-full sm:h-19"
      >
        {({ name, address, email, phone }) => (
          <address className="flex flex-col gap-x-12 gap-y-3 not-italic sm:flex-row sm:items-start sm:justify-between">
            <div className="min-w-0">
              <p className="font-medium break-words">{name}</p>
              <p className="text-muted">{address.street1}</p>
              {address.street2 !== null && <p className="text-muted">{address.street2}</p>}
              <p className="text-muted">
                {address.city}, {address.region} {address.postalCode}
              </p>
            </div>
            <div className="flex min-w-0 flex-col sm:-mt-2.75 sm:items-end sm:text-right">
              {email !== null && (
                <a className="link inline-flex min-h-11 items-center break-words" href={`mailto:${email}`}>
                  <span className="min-w-0 wrap-anywhere">
                    {email.slice(0, email.indexOf('@') + 1)}
                    <wbr />
                    {email.slice(email.indexOf('@') + 1)}
                  </span>
                </a>
              )}
              {phone !== null && (
                <a className="link inline-flex min-h-11 items-center tabular-nums" href={phoneHref(phone)}>
                  {formatPhone(phone)}
                </a>
              )}
            </div>
          </address>
        )}
      </Loadable>
    </Card>
  );
}
