import { formatPhone } from '@gatehouse/contract/phone';
import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { useGetTenantQuery } from '#api/tenants.ts';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Fact, Facts } from '#ui/facts.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { OpenCard } from '#ui/open-card.tsx';

const form = lazyPart(() => import('./alternate-contact-form.tsx'));

type Verb = 'Add' | 'Update';

/**
 * The person whom the facility calls when it cannot reach the tenant. It is saved at once, without
 * a request to staff.
 */
export function AlternateContactCard({ tenantId }: { tenantId: string }) {
  const load = useGetTenantQuery(tenantId);
  // As it was when the dialog opened: saving the first contact must not turn “Add” into “Update”.
  const [opened, setOpened] = useState<Verb | null>(null);
  const tenant = load.data;
  const verb = tenant && (tenant.alternateContact === null ? 'Add' : 'Update');
  return (
    <OpenCard
      id="alternate-contact"
      isWanting={load.error !== undefined}
      title={t('Alternate Contact Information')}
      summary={tenant && summaryOf(tenant.alternateContact)}
      actions={
        verb && (
          <OpenButton
            label={verb === 'Add' ? t('Add') : t('Update')}
            about={t('alternate contact')}
            variant="secondary"
            fetchAhead={form.fetchAhead}
            onOpen={() => setOpened(verb)}
          />
        )
      }
    >
      <Loadable
        load={load}
        failure={t('Your alternate contact could not be loaded.')}
        skeleton="h-29"
      >
        {({ alternateContact }) =>
          alternateContact === null ? (
            <p className="text-muted">
              {t('The person the facility calls when it cannot reach you. We need all four.')}
            </p>
          ) : (
            <AlternateContact contact={alternateContact} />
          )
        }
      </Loadable>
      <DialogPlace>
        {opened && tenant && (
          <FormDialog
            title={opened === 'Add' ? t('Add alternate contact') : t('Update alternate contact')}
            description={t(
              'The person the facility calls when it cannot reach you. We need all four.',
            )}
            onClose={() => setOpened(null)}
            form={form}
            formProps={{ tenant, verb: opened }}
          />
        )}
      </DialogPlace>
    </OpenCard>
  );
}

function summaryOf(contact: Tenant['alternateContact']): string {
  return contact === null ? t('None on file') : `${contact.firstName} ${contact.lastName}`;
}

function AlternateContact({ contact }: { contact: NonNullable<Tenant['alternateContact']> }) {
  const { firstName, lastName, email, phone } = contact;
  return (
    <Facts>
      <Fact label={t('Name')}>
        <span className="wrap-anywhere">{`${firstName} ${lastName}`}</span>
      </Fact>
      <Fact label={t('Email')}>
        <span className="wrap-anywhere">{email}</span>
      </Fact>
      <Fact label={t('Phone')}>{formatPhone(phone)}</Fact>
    </Facts>
  );
}
