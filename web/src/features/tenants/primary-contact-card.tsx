import { formatPhone } from '@gatehouse/contract/phone';
import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetTenantQuery } from '#api/tenants.ts';
import { Card } from '#ui/card.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Fact, Facts } from '#ui/facts.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';

const contactUpdateForm = lazyPart(() => import('./contact-update-form.tsx'));
const phoneForm = lazyPart(() => import('./phone-form.tsx'));

/**
 * Who the tenant is and how to reach them. A change is asked of the facility; a missing phone is
 * added here.
 */
export function PrimaryContactCard({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  const [opened, setOpened] = useState<'update' | 'phone' | null>(null);
  const close = () => setOpened(null);
  const tenant = load.data;
  return (
    <Card
      title={t('Primary Contact Information')}
      actions={
        tenant && (
          <OpenButton
            label={t('Update')}
            about={t('contact information')}
            variant="secondary"
            fetchAhead={contactUpdateForm.fetchAhead}
            onOpen={() => setOpened('update')}
          />
        )
      }
    >
      <Loadable
        load={load}
        failure={t('Your contact information could not be loaded.')}
        skeleton="h-79"
      >
        {(loaded) => <PrimaryContact tenant={loaded} onAddPhone={() => setOpened('phone')} />}
      </Loadable>
      <DialogPlace>
        {opened === 'update' && tenant && (
          <FormDialog
            title={t('Update contact information')}
            description={t('This is a request: the facility reviews it before anything changes.')}
            onClose={close}
            form={contactUpdateForm}
            formProps={{ tenant }}
          />
        )}
        {opened === 'phone' && (
          <FormDialog
            title={t('Add phone')}
            description={t('The number at which the facility reaches you.')}
            onClose={close}
            form={phoneForm}
            formProps={{ tenantId }}
          />
        )}
      </DialogPlace>
    </Card>
  );
}

function PrimaryContact({ tenant, onAddPhone }: { tenant: Tenant; onAddPhone: () => void }) {
  const { company, firstName, lastName, email, phone, address } = tenant;
  return (
    <Facts>
      {company !== null && (
        <Fact label={t('Company')}>
          <span className="wrap-anywhere">{company}</span>
        </Fact>
      )}
      <Fact label={t('Name')}>
        <span className="wrap-anywhere">{`${firstName} ${lastName}`}</span>
      </Fact>
      <Fact label={t('Email')}>
        <span className="wrap-anywhere">{email}</span>
      </Fact>
      <Fact
        label={t('Phone')}
        state={phone.primary === null ? 'missing' : undefined}
        action={
          phone.primary === null ? (
            <OpenButton
              label={t('Add')}
              about={t('phone')}
              fetchAhead={phoneForm.fetchAhead}
              onOpen={onAddPhone}
            />
          ) : undefined
        }
      >
        {phone.primary === null ? t('None on file') : formatPhone(phone.primary)}
      </Fact>
      <Fact label={t('Address')}>
        <address className="wrap-anywhere not-italic">
          <p>{address.street1}</p>
          {address.street2 && <p>{address.street2}</p>}
          <p>{`${address.city}, ${address.region} ${address.postalCode}`}</p>
        </address>
      </Fact>
    </Facts>
  );
}
