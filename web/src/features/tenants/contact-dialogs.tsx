import type { Tenant } from '@gatehouse/contract/tenants';
import { t } from '@gatehouse/language/t';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

type OfTenant = { tenant: Tenant };
type AlternateContactProps = OfTenant & { verb: 'Add' | 'Update' };
type PhoneProps = { tenantId: string };
type Closing = { onClose: () => void };

const contactUpdate = lazyPart(() => import('./contact-update-form.tsx'));
const alternateContact = lazyPart(() => import('./alternate-contact-form.tsx'));
const phone = lazyPart(() => import('./phone-form.tsx'));

export const fetchContactUpdateForm = contactUpdate.fetchAhead;
export const fetchAlternateContactForm = alternateContact.fetchAhead;
export const fetchPhoneForm = phone.fetchAhead;

/** Asks the facility to change the tenant's contact information. */
export function ContactUpdateDialog({ onClose, ...props }: OfTenant & Closing) {
  return (
    <FormDialog
      title={t('Update contact information')}
      description={t('This is a request: the facility reviews it before anything changes.')}
      onClose={onClose}
      form={contactUpdate}
      formProps={props}
    />
  );
}

/** Adds or changes the alternate contact. */
export function AlternateContactDialog({ onClose, ...props }: AlternateContactProps & Closing) {
  return (
    <FormDialog
      title={props.verb === 'Add' ? t('Add alternate contact') : t('Update alternate contact')}
      description={t('The person the facility calls when it cannot reach you.')}
      onClose={onClose}
      form={alternateContact}
      formProps={props}
    />
  );
}

/** Adds a phone where there is none. */
export function PhoneDialog({ onClose, ...props }: PhoneProps & Closing) {
  return (
    <FormDialog
      title={t('Add phone')}
      description={t('The number at which the facility reaches you.')}
      onClose={onClose}
      form={phone}
      formProps={props}
    />
  );
}
