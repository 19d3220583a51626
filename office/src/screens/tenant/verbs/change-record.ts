import { formatPhone } from '@gatehouse/contract/phone';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { anyAction } from '#parts/action-dialog.tsx';
import type { OfRecord } from './offers.tsx';

/** Names, phone, address and tags as they are, to be changed; what is emptied is removed. */
export function changeRecord({ tenant }: OfRecord) {
  const { company, firstName, lastName, phone, address, isMilitary, tags } = tenant;
  return anyAction({
    action: officeVerbs['tenants.change'],
    label: 'Change the record',
    defaultValues: {
      ...{ company: company ?? '', firstName, lastName },
      phone: phone === null ? '' : formatPhone(phone),
      ...address,
      street2: address.street2 ?? '',
      ...{ isMilitary, tags: tags.join(', ') },
    },
    given: (form) => ({
      tenantId: tenant.id,
      company: form.text('company'),
      street2: form.text('street2'),
      tags: form.text('tags'),
    }),
  });
}
